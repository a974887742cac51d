/** Turns a path that a model wrote into a place that may be touched, or refuses it. */
export interface PathResolver {
  /**
   * The real, absolute path: relative ones start at the first root, links are followed (of the nearest existing ancestor,
   * for a file that is not there yet).
   * @throws ToolError when the place is outside the workspace (and, for `read`, outside the artifacts)
   */
  resolve(path: string, purpose: 'read' | 'write'): Promise<string>;
  /** How the path is shown to people and to the model: relative to its root with `/`, or absolute outside. */
  show(path: string): string;
}
