// Composition root: fonts, theme, transport, data, screens.

import './zod-setup.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import './theme.css';
import './ui/ui.css';
import { createRoot } from 'react-dom/client';
import { defined } from '../app/shared/assert.ts';
import { App } from './app.tsx';
import { connect } from './client.ts';
import { ApiProvider, createQueryClient } from './data/api.ts';
import { followTheme } from './preferences.ts';

followTheme();
const connection = await connect();
const queryClient = createQueryClient();

createRoot(defined(document.getElementById('root'), 'the root element')).render(
  <ApiProvider connection={connection} queryClient={queryClient}>
    <App />
  </ApiProvider>,
);
