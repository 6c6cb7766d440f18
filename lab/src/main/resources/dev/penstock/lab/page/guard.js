// Counts errors in the page. It runs before all other scripts. data-errors is 0 if there were none.
(() => {
  'use strict';
  const marks = document.documentElement.dataset;
  marks.errors = '0';
  const count = () => { marks.errors = String(Number(marks.errors) + 1); };
  addEventListener('error', count);
  addEventListener('unhandledrejection', count);
  addEventListener('securitypolicyviolation', count);
})();
