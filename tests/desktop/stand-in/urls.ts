// Chromium knows no app:// scheme that Electron did not register, so the stand-in serves it under an https origin that no
// network has. The translation happens here and nowhere else: the shell sees only app:// addresses.

const shownOrigin = 'https://rollscope.test';
const appOrigin = 'app://rollscope';

/** The address in the browser of one of the shell's addresses. */
export function toBrowser(url: string): string {
  return url.startsWith(`${appOrigin}/`) ? shownOrigin + url.slice(appOrigin.length) : url;
}

/** The address as the shell would see it in Electron. */
export function toApp(url: string): string {
  return url === shownOrigin || url.startsWith(`${shownOrigin}/`) ? appOrigin + url.slice(shownOrigin.length) : url;
}
