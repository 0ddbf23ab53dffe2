/** Where findings are shown. */
export interface ReportOptions {
  /** Absolute app root, to which the paths in findings are relative. */
  root: string;
  /** Absolute folder to which shown paths are relative. Default: `root`. */
  cwd?: string;
}

export interface PrettyOptions extends ReportOptions {
  /** Colour codes for a terminal. Default: no. */
  color?: boolean;
  /** Text of a file of the app, by absolute path; `undefined` leaves the code frame out. Default: from disk. */
  read?: (file: string) => string | undefined;
}
