/** Names the column in each cell, for narrow pages. Our own tables are not nested, and their texts are escaped. */
export function withColumnNames(page: string): string {
  return page.replaceAll(/<table>[\s\S]*?<\/table>/g, (table) => {
    const body = table.indexOf('</thead>');
    if (body < 0) return table;
    const columns = [...table.slice(0, body).matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g)].map(([, text = '']) =>
      text.replaceAll(/<[^>]*>/g, '').trim(),
    );
    const rows = table.slice(body).replaceAll(/<tr\b[^>]*>[\s\S]*?<\/tr>/g, (row) => {
      let column = -1;
      return row.replaceAll(/<(t[dh])\b([^>]*)>/g, (cell, tag: string, attributes: string) => {
        column += 1;
        const name = columns[column] ?? '';
        return name === '' || attributes.includes('colspan')
          ? cell
          : `<${tag}${attributes} data-column="${name.replaceAll('"', '&quot;')}">`;
      });
    });
    return table.slice(0, body) + rows;
  });
}
