import { declaresHeader, type Operation } from '../../src/model/contract.ts';
import { seemsPaged } from '../../src/model/usual-paging.ts';
import { skip } from '../../src/suite-kit/scene.ts';
import type { Skip } from '../../src/suite-kit/suite.ts';

/** How to declare the pages of a list that has query fields for them, and nothing else that says how they are used. */
export function undeclaredPages(list: Operation): Skip | undefined {
  const paging = seemsPaged(list);
  if (paging === undefined) return undefined;
  const { field, items, limit, style } = paging;
  const how =
    style !== 'cursor'
      ? `style: ${style}`
      : declaresHeader(list.success, 'link')
        ? 'style: link'
        : 'next: (where a page has the next cursor)';
  return skip(list, 'RDS-4 RDS-5 RDS-6', {
    kind: 'operation',
    remedy: `Declare the pages of ${list.method} ${list.path}, to which its query fields '${limit}' and '${field}' seem to lead: x-governed: { pagination: { limit: '${limit}', cursor: '${field}', items: '${items}', ${how} } }.`,
  });
}
