/** Makes the page handier; nothing depends on it. It holds none of the characters that HTML escapes. */
export const script = `
'use strict';
function openAt(hash) {
  const place = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
  if (place === null) return;
  const inside = place.querySelector(':scope > details');
  if (inside !== null) inside.open = true;
  for (let box = place.closest('details'); box !== null; box = box.parentElement.closest('details')) box.open = true;
  place.scrollIntoView();
}
addEventListener('hashchange', () => openAt(location.hash));
openAt(location.hash);
let shut = [];
addEventListener('beforeprint', () => {
  shut = [...document.querySelectorAll('details:not([open])')];
  for (const box of shut) box.open = true;
});
addEventListener('afterprint', () => {
  for (const box of shut) box.open = false;
});
function button(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => act(made));
  return made;
}
for (const commands of document.querySelectorAll('pre.commands')) {
  const copy = button('Copy', (pressed) => {
    navigator.clipboard.writeText(commands.textContent).then(
      () => { pressed.textContent = 'Copied'; },
      () => { pressed.textContent = 'Select and copy by hand'; },
    );
  });
  copy.className = 'copy';
  copy.setAttribute('aria-label', 'Copy: ' + commands.dataset.label);
  commands.before(copy);
}
for (const place of document.querySelectorAll('[data-folds]')) {
  const all = (open) => () => {
    for (const box of place.parentElement.querySelectorAll('details')) box.open = open;
  };
  place.append(button('Open all', all(true)), button('Close all', all(false)));
}
`;
