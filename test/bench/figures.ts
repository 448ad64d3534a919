/** What a bench measured. */
export interface Figure {
  name: string;
  /** In `unit`; of the yardstick in the same run. */
  ours: number;
  yardstick?: number;
  unit: string;
  /** What `ratio` is of: ours to the yardstick's. */
  ratio?: number;
  /** What is aimed at: of the ratio where there is a yardstick, else of `ours`. */
  aim?: { atLeast: number } | { atMost: number };
}

/** Prints a figure and keeps it for the JSON file. */
export type Note = (figure: Omit<Figure, 'ratio'>) => void;

export function noter(say: (line: string) => void, kept: Figure[]): Note {
  return (given) => {
    const { name, ours, yardstick, unit, aim } = given;
    const ratio = yardstick === undefined ? undefined : ours / yardstick;
    kept.push({ ...given, ...(ratio === undefined ? {} : { ratio }) });
    const about = [
      `${short(ours)} ${unit}`,
      ...(yardstick === undefined ? [] : [`yardstick ${short(yardstick)} ${unit}`]),
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
