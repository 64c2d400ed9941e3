/** An element of an XML text that has no elements of its own. */
export type XmlLeaf = {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly text: string;
};

const mostLeaves = 2000;

/** True for XML, false for a page. */
export function isXml(type: string, text: string): boolean {
  if (/html/i.test(type) || /<(?:!doctype\s+html|html|body|head|p|div|pre)\b/i.test(text.slice(0, 2000)))
    return false;
  return /xml/i.test(type) || /^\s*<(?:\?xml|[a-z][\w:.-]*(?:\s[^<>]*)?\/?>)/i.test(text);
}

/** Elements with their attributes, and the text of those that hold nothing else. Never throws, never nests. */
export function xmlLeaves(text: string): readonly XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const tag = /<([a-z_][\w:.-]{0,80})((?:\s[^<>]{0,2000})?)(\/?)>(?:([^<>]{0,2000})<\/\1\s*>)?/gi;
  for (const match of text.slice(0, 40_000).matchAll(tag)) {
    if (leaves.length >= mostLeaves) break;
    const attributes = [...(match[2] ?? '').matchAll(/([\w:.-]{1,80})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      (one) => [local(one[1] ?? ''), plain(one[2] ?? one[3] ?? '')] as const,
    );
    leaves.push({ name: local(match[1] ?? ''), attributes, text: plain(match[4] ?? '').trim() });
  }
  return leaves;
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Text without entities. */
export function plain(text: string): string {
  return text
    .replace(/&(?:#0*39|#x0*27|apos|lsquo|rsquo);/gi, "'")
    .replace(/&(?:#0*34|#x0*22|quot|ldquo|rdquo);/gi, '"')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&amp;/gi, '&');
}
