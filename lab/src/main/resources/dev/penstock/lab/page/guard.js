// Counts what goes wrong, before anything else may: data-errors stays 0 on a sound page.
(() => {
  'use strict';
  const marks = document.documentElement.dataset;
  marks.errors = '0';
  const count = () => { marks.errors = String(Number(marks.errors) + 1); };
  addEventListener('error', count);
  addEventListener('unhandledrejection', count);
  addEventListener('securitypolicyviolation', count);
})();
