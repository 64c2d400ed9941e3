#!/usr/bin/env bash
# Keeps one comment of a pull request up to date: $SUMMARY (Markdown) on $NUMBER of $GITHUB_REPOSITORY.
set -euo pipefail
mark='<!-- assay: summary of the last run -->'
[ -f "$SUMMARY" ] || { echo "assay: there is no $SUMMARY; the pull request gets no comment" >&2; exit 0; }
body="$(mktemp)"
# A comment holds 65,536 characters.
{ echo "$mark"; head -c 60000 "$SUMMARY"; } > "$body"
comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
id="$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | head -n 1)"
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body"
else
  gh api --silent --method POST "$comments" --field "body=@$body"
fi
