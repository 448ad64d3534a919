// `npm run readme`: renews the README's tables.

import { writeFileSync } from 'node:fs';
import { readmePath, renewedReadme } from './readme-tables.ts';

writeFileSync(readmePath, renewedReadme());
