// The socket to the board. It comes back by itself, and says when it is gone.

const SOONEST = 400;
const LATEST = 4000;

/** `hear(news)` gets what changed, `gone()` hears that the board is away. Returns `send(act)`. */
export function connect({ hear, gone }) {
  let socket = null;
  let patience = SOONEST;

  const open = () => {
    const here = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${here}//${location.host}/twin/wires`);
    socket.onmessage = (message) => {
      patience = SOONEST;
      hear(JSON.parse(message.data));
    };
    socket.onclose = () => {
      gone();
      setTimeout(open, patience);
      patience = Math.min(2 * patience, LATEST);
    };
  };

  open();
  return (act) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(act));
  };
}

/** The bytes that base64 stands for. */
export const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
