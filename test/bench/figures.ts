export interface Figure {
  name: string;
  /** In `unit`, as is the baseline of the same run. */
  ours: number;
  baseline?: number;
  unit: string;
  /** The label of `ratio`: ours to the baseline's. */
  ratio?: number;
  /** The target: for the ratio if there is a baseline, else for `ours`. */
  aim?: { atLeast: number } | { atMost: number };
}

/** Prints a figure and keeps it for the JSON file. */
export type Note = (figure: Omit<Figure, 'ratio'>) => void;

export function noter(say: (line: string) => void, kept: Figure[]): Note {
  return (given) => {
    const { name, ours, baseline, unit, aim } = given;
    const ratio = baseline === undefined ? undefined : ours / baseline;
    kept.push({ ...given, ...(ratio === undefined ? {} : { ratio }) });
    const about = [
      `${short(ours)} ${unit}`,
      ...(baseline === undefined ? [] : [`baseline ${short(baseline)} ${unit}`]),
      ...(ratio === undefined ? [] : [`ratio ${ratio.toFixed(2)}`]),
      ...(aim === undefined
        ? []
        : [`(aim: ${'atLeast' in aim ? `at least ${aim.atLeast}` : `at most ${aim.atMost}`})`]),
    ];
    say(`${name.padEnd(40)} ${about.join('   ')}`);
  };
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
