/** What is wrong with a base URL, without quoting it: it may hold credentials. */
export function baseUrlProblem(given: string): string | undefined {
  if (given === 'reference') return undefined;
  if (!URL.canParse(given)) return 'the base URL is not an absolute URL';
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the base URL is neither http nor https';
  if (url.username !== '' || url.password !== '') return 'the base URL holds credentials';
  if (/[{}]/.test(given)) return 'the base URL has a placeholder in braces, which nothing fills in';
  if (given.includes('?')) return 'the base URL has a query';
  if (given.includes('#')) return 'the base URL has a fragment';
  return undefined;
}

/** The URL without a slash at its end, ready for a path to follow. */
export function normalisedBaseUrl(given: string): string {
  return new URL(given).href.replace(/\/+$/, '');
}

/** Whether a URL leads to this machine; undefined stands for the embedded reference service. */
export function isLocal(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return true;
  // The URL parser has brought every way of writing an IPv4 address to four decimal numbers.
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
