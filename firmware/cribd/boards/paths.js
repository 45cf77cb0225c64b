// Paths of SVG: curves through points, straight where the points lie straight and round where they turn; and shapes that
// are placed by their numbers. A `transform` at each of hundreds of shapes costs a browser more than all their paint.

const sub = (a, b) => [a[0] - b[0], a[1] - b[1]];
const long = (v) => Math.hypot(v[0], v[1]);
const unit = (v) => v.map((part) => part / long(v));
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const straight = (a, b) => dot(a, b) > 0.9999;
export const round = (number) => Math.round(number * 100) / 100;

/** An SVG path through all points, whose bends are arcs. */
export function curve(points) {
  const ways = points.slice(1).map((point, at) => unit(sub(point, points[at])));
  const tangents = points.map((_, at) => tangent(points, ways, at));
  let path = `M${points[0].map(round)}`;
  for (let at = 1; at < points.length; at++) {
    const [from, to] = [points[at - 1], points[at]];
    const [leave, arrive] = [tangents[at - 1], tangents[at]];
    const chord = long(sub(to, from));
    const turn = Math.acos(Math.max(-1, Math.min(1, dot(leave, arrive))));
    const handle = chord / (3 * Math.cos(turn / 4) ** 2);
    const first = from.map((part, axis) => part + handle * leave[axis]);
    const second = to.map((part, axis) => part - handle * arrive[axis]);
    path += straight(leave, arrive) && straight(leave, ways[at - 1])
      ? `L${to.map(round)}`
      : `C${[...first, ...second, ...to].map(round)}`;
  }
  return path;
}

/** The direction of the curve at a point: of a straight piece, else of the circle through its neighbours. */
function tangent(points, ways, at) {
  const before = ways[at - 1];
  const after = ways[at];
  if (!before || !after) return before ?? after;
  if (ways[at - 2] && straight(ways[at - 2], before)) return before;
  if (ways[at + 1] && straight(after, ways[at + 1])) return after;
  const [a, b] = [long(sub(points[at], points[at - 1])), long(sub(points[at + 1], points[at]))];
  return unit([before[0] * b + after[0] * a, before[1] * b + after[1] * a]);
}

/** A path of M, L, C, A and Z around the origin, moved to a point. A negative `size` turns it upside down. */
export function placed(path, x, y, size = 1) {
  const pair = (number, at) => size * number + (at % 2 ? y : x);
  const arc = (number, at) => { // two radii, a turn and two flags, a point
    const place = at % 7;
    if (place > 4) return pair(number, place + 1);
    return place < 2 ? Math.abs(size) * number : number;
  };
  return path.replace(/([MLCA])([^A-Z]*)/g, (_, command, values) => {
    const numbers = values.match(/-?(?:\d+\.?\d*|\.\d+)/g).map(Number);
    return command + numbers.map(command === 'A' ? arc : pair).map(round).join(' ');
  });
}
