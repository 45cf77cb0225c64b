// What the checker cannot know of a page: which kind of element a selector finds in its HTML. Tests in a browser do.

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}
