// The whole window takes files and folders.

import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useApi } from '../../data/api.ts';
import { useImporting } from '../../data/imports.ts';
import { useHello } from '../../data/workspace.ts';
import { Icon } from '../../ui/icon.tsx';

/** Whether a drag carries files (and not, say, selected text). */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Takes drops of files anywhere in `children`. */
export function DropZone({ children }: { readonly children: ReactNode }) {
  const { importDropped } = useImporting();
  const hello = useHello();
  const [over, setOver] = useState(false);
  // dragenter and dragleave fire for every child; the drag has left the window when they cancel out.
  const depth = useRef(0);
  const { connection } = useApi();
  // The desktop app knows the path of what is dropped; a browser sends the bytes to the host.
  const allowed =
    hello !== undefined &&
    !hello.capabilities.readOnly &&
    (connection.desktop !== null || hello.capabilities.canUpload);
  const reset = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the import dialog does the same by keyboard
    <div
      className="drop-zone"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) reset();
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = allowed ? 'copy' : 'none';
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        reset();
        if (allowed) void importDropped(event.dataTransfer);
      }}
    >
      {children}
      {over && (
        <div className="drop-hint" aria-hidden="true">
          <div>
            <Icon name="imports" size={28} />
            <strong>{allowed ? 'Drop to import' : 'This host does not take files'}</strong>
            <span className="muted">
              {allowed
                ? 'Files or folders; the format is recognised from the content'
                : 'Import them by their path instead'}
            </span>
          </div>
        </div>
      )}
    </div>
  );
}
