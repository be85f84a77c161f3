// Must be the first import of the program: zod otherwise probes `new Function`, which the CSP forbids and reports.

import { z } from 'zod';

z.config({ jitless: true });
