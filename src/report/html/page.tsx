import { createHash } from 'node:crypto';
import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { withColumnNames } from './cell-labels.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { visible } from './words.ts';

export type Entry = { readonly id: string; readonly title: string; readonly count?: number | undefined };

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and only the scripts written here run. */
const policy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A whole, self-contained page. Style and script hold no character that HTML would escape. */
export function pageText(page: {
  readonly title: string;
  readonly head: ComponentChildren;
  readonly contents: readonly Entry[];
  readonly foot: ComponentChildren;
  readonly body: ComponentChildren;
}): string {
  return `<!DOCTYPE html>\n${visible(
    withColumnNames(
      render(
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta http-equiv="Content-Security-Policy" content={policy} />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="referrer" content="no-referrer" />
            <meta name="generator" content="Assay" />
            <link rel="icon" href="data:," />
            <title>{page.title}</title>
            <style>{style}</style>
          </head>
          <body>
            <a class="skip" href="#main">
              Skip to the content
            </a>
            <header class="masthead">{page.head}</header>
            <div class="frame">
              {page.contents.length === 0 ? undefined : <Contents entries={page.contents} />}
              <main id="main" tabindex={-1}>
                {page.body}
              </main>
            </div>
            <footer class="colophon">{page.foot}</footer>
            <script>{script}</script>
          </body>
        </html>,
      ),
    ),
  )}\n`;
}

function Contents({ entries }: { readonly entries: readonly Entry[] }): VNode {
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {entries.map(({ id, title, count }) => (
          <li>
            <a href={`#${id}`}>
              <span>{title}</span>
              {count === undefined ? undefined : <span class="count">{count}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
