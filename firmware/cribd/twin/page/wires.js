// The WebSocket to the board. It reconnects by itself, and reports when the connection is lost.

/** The name of this window, as long as it is open: who plays alone has his hands in one window. */
export const WINDOW = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const SOONEST = 400;
const LATEST = 4000;

/** Calls `receive(news)` with each change, and `gone()` when the board is away. Returns `send(act)`. */
export function connect({ receive, gone }) {
  /** @type {WebSocket} */ let socket;
  let patience = SOONEST;

  const reconnect = () => {
    const here = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${here}//${location.host}/twin/wires?window=${WINDOW}`);
    socket.onmessage = (message) => {
      patience = SOONEST;
      receive(JSON.parse(message.data));
    };
    socket.onclose = () => {
      gone();
      setTimeout(reconnect, patience);
      patience = Math.min(2 * patience, LATEST);
    };
  };

  reconnect();
  return (act) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(act));
  };
}

/** The bytes of a base64 text. */
export const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
