/** Clauses that see every second effect of a duplicate. */
export const twice = 'IDM-4 IDM-5 IDM-8 IDM-15 IDM-16 IDM-17 IDM-18 IDM-19 IDM-20 IDM-22 IDM-24 IDM-25 VER-7';

/** Clauses that see what a key is bound to. */
export const bound = 'IDM-6 IDM-7 IDM-9 PRE-3 PRE-4 ERR-1';
