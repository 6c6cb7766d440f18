// The page of a result file: sections of text and tables, and the charts of each course.
const { result, metrics, steal } = JSON.parse(document.getElementById('data').textContent);
const metricOf = key => ({ key, title: key, better: 'NEITHER', count: false, ...metrics[key] });
const medianOf = (contestant, key) => contestant.metrics[key]?.median;
const role = contestant => h('span.role.' + contestant.role, contestant.role);
const DEFAULT_METRICS = [
  'tps', 'mean_ms', 'p50_ms', 'p90_ms', 'p99_ms', 'p999_ms', 'max_ms', 'errors', 'rejected', 'failed', 'unknown', 'wrong', 'lost', 'shed',
  'unanswered', 'failures', 'failure_p50_ms', 'failure_p99_ms', 'failure_max_ms',
  'duplicates', 'lag_p99_ms', 'in_flight_max', 'connections_opened', 'downstream_calls_per_s', 'cpu_us_per_tx', 'alloc_kb_per_tx',
  'heap_peak_mb', 'gc_pause_ms', 'goodput', 'ns_per_call', 'bytes_per_call',
];

/** A sign before a time that is only a lower bound: what was never answered counts as the time it waited. */
const bound = (blocks, key) => /^(service_)?(mean|min|p\d+|max)_ms$/.test(key)
    && blocks.some(({ unanswered_min_ms: least, [key]: time }) => least != null && (key === 'mean_ms' || time >= least)) ? '≥' : '';
const COVERED = 'Times are of right answers. What was never answered counts as the time it waited (≥: a lower bound); failures have their own.';
const covered = contestants => contestants.some(one => 'unanswered' in one.metrics || 'failures' in one.metrics) && h('p.note', COVERED);

// ---- courses: parts of a race, or the whole of any other result
function coursesOf({ courses: notes = [], contestants, verdicts }) {
  // A file with one course may omit its name at the contestants.
  const courseOf = part => part.course ?? (notes.length === 1 ? notes[0].name : null);
  const names = new Set([...notes.map(note => note.name), ...contestants.map(courseOf)]);
  return [...names].map((name, i) => {
    const own = contestants.filter(one => courseOf(one) === name), single = own.length === 1;
    return {
      id: 'c' + i, title: name ?? (single ? own[0].name : 'Result'), single, contestants: own, styles: stylesOf(own),
      note: notes.find(note => note.name === name), verdicts: verdicts.filter(verdict => courseOf(verdict) === name),
    };
  });
}

function courseSection(course) {
  const { note, single, verdicts } = course;
  return h('section.course', { id: course.id },
      h('h2', course.title),
      note && h('p.workload', `${note.workload}. ${many(note.rounds, 'round')}.`),
      note?.why && h('p.why', note.why),
      steal[note?.name] && h('p.note', 'During this course, ' + steal[note.name] + '.'),
      note?.probe && probeSection(course, note.probe),
      (!single || verdicts.length > 0) && verdictSection(course),
      note?.goals?.length > 0 && [h('h3', 'Goals'), h('ul.goals', note.goals.map(goal => h(goal.met ? 'li.met' : 'li.missed',
          h('i', { 'aria-hidden': true }, goal.met ? '✓' : '✕'), h('b', goal.met ? 'met' : 'missed'), ` ${goal.what}: ${goal.found}`)))],
      figureSection(course),
      single && labelSection(course.contestants[0]),
      chartSection(course),
      downstreamSection(course),
      note?.blocks_failed?.length > 0 && [h('h3', 'Failed blocks'), h('ul.failures', note.blocks_failed.map(line => h('li', line)))],
      settingsSection(course));
}

// ---- the top of the page
function summary(courses) {
  const { verdicts } = result, ours = new Set(verdicts.map(one => one.ours)), others = new Set(verdicts.map(one => one.other));
  return h('header.top',
      h('p.brand', h('b', 'Penstock'), ' ' + result.version),
      h('h1', result.experiment),
      result.valid
          ? h('p.valid', h('i', { 'aria-hidden': true }, '✓'), h('b', 'Valid'), ': the validity checks passed.')
          : h('p.invalid', { role: 'note' }, h('i', { 'aria-hidden': true }, '✕'), h('b', 'INVALID'), ': ' + (result.why_invalid ?? 'no reason in the file')),
      verdicts.length > 0 && h('p.outcome', `${[...ours].join(', ')} against ${many(others.size, 'other')}: `, tally(verdicts)),
      courses.length > 1 && h('nav', { 'aria-label': 'Courses' }, h('ul.courses', courses.map(course => h('li',
          h('a', { href: '#' + course.id }, course.title), ' ',
          course.verdicts.length > 0 && tally(course.verdicts), course.note?.why && h('span.why', course.note.why))))));
}

// ---- verdicts, the good ones first: a word, a sign and a colour; the ratio's interval on a logarithmic axis around 1
const VERDICTS = {
  FASTER: ['faster', '▲'], SAME: ['same', '='], INCONCLUSIVE: ['open', '?'], SLOWER: ['slower', '▼'],
};
const badge = (verdict, count) => h('span.verdict.' + VERDICTS[verdict][0], h('i', { 'aria-hidden': true }, VERDICTS[verdict][1]), verdict,
    count && h('b', count));

function tally(verdicts) {
  const count = word => verdicts.filter(one => one.verdict === word).length;
  return h('span.tally', Object.keys(VERDICTS).filter(count).map(word => badge(word, count(word))));
}

function verdictSection(course) {
  const { note, verdicts, contestants } = course;
  if (verdicts.length === 0) {
    return [h('h3', 'Verdicts'), h('p.note', contestants.length > 1 ? 'None: too few blocks for a verdict.' : 'None: there is no other contestant.')];
  }
  const oneOurs = new Set(verdicts.map(one => one.ours)).size === 1;
  const keys = new Set([...note?.judged ?? [], ...verdicts.map(one => one.metric)]);
  return [h('h3', 'Verdicts'),
    h('p.note', 'Ratios are ours / other, of the geometric means of the blocks, with 95 % confidence intervals. Grey bands: difference between two runs of the same contestant (A/A).'
        + ' An arrow: the interval extends further.'),
    h('div.forests', [...keys].map(key => {
      const own = verdicts.filter(one => one.metric === key);
      return own.length > 0 && ratios(metricOf(key), own, oneOurs, note?.aa_noise_percent?.[key]);
    }))];
}

function ratios(metric, verdicts, oneOurs, noise) {
  const scale = ratioScale(verdicts);
  const better = { LOWER: 'lower is better', HIGHER: 'higher is better', NEITHER: 'descriptive' }[metric.better];
  const axis = s('svg', { height: 18, role: 'img', 'aria-label': 'logarithmic axis of ratios around 1; ' + better },
      scale.ticks.map(tick => s('text.tick.across', { x: scale.at(tick), y: 12 }, ratioTick(tick))));
  return h('div.forest',
      h('div.forest-head', h('h4', metric.title), h('span.unit', better), tally(verdicts)),
      table('.ratios', metric.title + ' ratios',
          [oneOurs ? verdicts[0].ours + ' against' : 'ours against', 'verdict', h('th.strip', { scope: 'col' }, axis), numberHead('ratio of means')],
          verdicts.map(verdict => h('tr',
              rowHead(oneOurs ? verdict.other : verdict.ours + ' / ' + verdict.other),
              h('td', badge(verdict.verdict)),
              h('td.strip', strip(scale, verdict, noise)),
              h('td.number', h('span.figure', ratio(verdict)), h('small', interval(verdict)))))));
}

/** As wide as the intervals, at most from 1/20 to 20. */
function ratioScale(verdicts) {
  const sizes = verdicts.flatMap(({ low, ratio, high }) => [low, ratio, high])
      .filter(v => isKnown(v) && v > 0 && v < Number.MAX_VALUE).map(v => Math.abs(Math.log(v)));
  const reach = Math.min(Math.max(1.08 * Math.max(...sizes, 0), Math.log(1.12)), Math.log(20));
  const log = v => v <= 0 ? -Infinity : Math.log(v);
  const share = v => Math.min(Math.max((log(v) + reach) / (2 * reach), 0), 1);
  // The outermost tick that fits, then one half way; each has room for its label.
  const apart = 0.42, right = [];
  for (const tick of [20, 10, 5, 3, 2, 1.5, 1.2, 1.1, 1.05]) {
    const at = Math.log(tick) / reach, before = right.length ? Math.log(right[0]) / reach : 1 + apart;
    if (at <= 0.95 && at >= apart && before - at >= apart) right.unshift(tick);
  }
  return {
    share, at: v => (100 * share(v)).toFixed(2) + '%', ticks: [...right.map(tick => 1 / tick).reverse(), 1, ...right],
    isBelow: v => log(v) < -reach, isAbove: v => log(v) > reach,
  };
}
const ratioTick = tick => Number(tick.toFixed(tick < 0.95 && tick > 0.11 ? 2 : 3)) + '×';

function strip(scale, verdict, noise) {
  const height = 24, most = 1 + noise / 100, arrow = (x, path) => s('svg.over', { x, y: height / 2 }, s('path.arrow', { d: path }));
  const { low, ratio: middle, high } = verdict;
  return s('svg.interval.verdict.' + VERDICTS[verdict.verdict][0],
      { height, role: 'img', 'aria-label': `${ratio(verdict)}, 95 % interval ${interval(verdict)}` },
      noise > 0 && s('rect.noise', { x: scale.at(1 / most), width: (100 * (scale.share(most) - scale.share(1 / most))).toFixed(2) + '%', height }),
      scale.ticks.map(tick => s(tick === 1 ? 'line.one' : 'line.grid', { x1: scale.at(tick), x2: scale.at(tick), y1: 0, y2: height })),
      isKnown(middle) && [
        s('line.whisker', { x1: scale.at(low), x2: scale.at(high), y1: height / 2, y2: height / 2 }),
        scale.isBelow(low) && arrow('0', 'M7,-4L1,0L7,4'),
        scale.isAbove(high) && arrow('100%', 'M-7,-4L-1,0L-7,4'),
        !scale.isBelow(middle) && !scale.isAbove(middle) && s('circle.dot', { cx: scale.at(middle), cy: height / 2, r: 4.5 }),
      ]);
}

// ---- the metrics: a table of contestants, or tiles of the only one
function figureSection(course) {
  const { contestants, note, single } = course;
  const shown = (note?.shown?.length ? note.shown : DEFAULT_METRICS).filter(key => contestants.some(one => key in one.metrics)).map(metricOf);
  if (shown.length === 0) return h('p.note', 'No contestant has results.');
  if (single) return tiles(contestants[0], shown);
  const best = bestPeers(contestants, shown);
  return [h('h3', 'Results'),
    h('p.note', contestants.some(one => one.blocks.length > 1) ? 'Medians of the blocks, with their minimum and maximum below.' : 'One block each.',
        best.size > 0 && [' ', h('b', 'Bold'), ': the best peer of each column.']),
    covered(contestants),
    table('.figures', 'Results', ['contestant', ...shown.map(metric => numberHead(metric.title))], contestants.map(one =>
        h(one.role === 'ours' ? 'tr.ours' : 'tr', rowHead(h('span.name', one.name), role(one)), shown.map(metric => {
          const spread = one.metrics[metric.key], bold = one.role === 'peer' && spread && best.get(metric.key) === spread.median;
          const within = spread && range(metric, spread.min, spread.max);
          return h('td.number', h(bold ? 'b.figure' : 'span.figure', bound(one.blocks, metric.key) + figure(metric, spread?.median)), within && h('small', within));
        }))))];
}

/** The best median among peers, by metric, where one direction is better and the medians differ. */
function bestPeers(contestants, shown) {
  const best = new Map(), peers = contestants.filter(one => one.role === 'peer');
  for (const { key, better } of shown) {
    const medians = peers.map(one => medianOf(one, key)).filter(isKnown), least = Math.min(...medians), most = Math.max(...medians);
    if (medians.length > 1 && most > least && better !== 'NEITHER') best.set(key, better === 'LOWER' ? least : most);
  }
  return best;
}

function tiles(contestant, shown) {
  const { metrics: spreads, slices = [], blocks } = contestant;
  const parts = slices.length > 1 ? slices : blocks;
  return [h('h3', 'Results'),
    slices.length > 1 && h('p.note', `Below each: minimum and maximum of ${slices.length} equal parts of the run.`),
    covered([contestant]),
    h('dl.tiles', shown.map(metric => {
      const values = parts.map(part => part[metric.key]).filter(isKnown);
      const within = values.length > 1 && range(metric, Math.min(...values), Math.max(...values));
      return h('div', h('dt', metric.title), h('dd', h('span.figure', bound(blocks, metric.key) + figure(metric, spreads[metric.key]?.median)), within && h('small', within)));
    }))];
}

const LABEL_METRICS = ['count', 'mean_ms', 'p50_ms', 'p90_ms', 'p99_ms', 'min_ms', 'max_ms', 'errors', 'tps', 'received_kb_per_s'];

/** The transactions of each label, and all of them, when the load had labels. */
function labelSection({ labels = {}, blocks: [total] }) {
  const rows = Object.entries(labels).map(([label, [block]]) => [label, block]);
  if (rows.length === 0) return null;
  const shown = LABEL_METRICS.filter(key => key in total).map(metricOf);
  return [h('h3', 'By label'),
    table('.figures', 'By label', ['label', ...shown.map(metric => numberHead(metric.title))], [...rows, ['total', total]].map(([name, block]) =>
        h('tr', rowHead(name), shown.map(metric => h('td.number', h('span.figure', bound([block], metric.key) + figure(metric, block[metric.key])))))))];
}

// ---- the downstream cost of a transaction, as bars
function downstreamSection({ contestants }) {
  const shares = [
    ['Connections opened', 'connections_opened', 'count'],
    ['Calls to the dependency', 'downstream_calls_per_s', 'tps'],
    ['Duplicates sent', 'duplicates', 'count'],
  ].map(([title, key, per]) => ({ title, values: contestants.map(one => {
    const share = medianOf(one, key) / medianOf(one, per);
    return isKnown(share) ? share : null;
  }) })).filter(({ values }) => values.some(value => value != null));
  return shares.length > 0 && [h('h3', 'Calls per transaction'),
    h('p.note', 'Medians per offered transaction; for calls, per answered transaction.'),
    h('div.forests', shares.map(({ title, values }) => {
      const most = Math.max(...values);
      const bar = value => value != null && most > 0 && s('rect.bar', { y: 6, height: 12, width: (100 * value / most).toFixed(2) + '%', rx: 2 });
      return h('div.forest',
          h('div.forest-head', h('h4', title), h('span.unit', 'per transaction')),
          table('.ratios.bars', title, ['contestant', h('th.strip', { scope: 'col' }, h('span.unseen', 'from 0')), numberHead('each')],
              contestants.map((one, c) => h(one.role === 'ours' ? 'tr.ours' : 'tr', rowHead(one.name),
                  h('td.strip', s('svg', { height: 24, 'aria-hidden': true }, bar(values[c]), s('line.one', { x1: 0, x2: 0, y1: 0, y2: 24 }))),
                  h('td.number.figure', values[c] == null ? UNKNOWN : number(values[c]))))));
    }))];
}

function settingsSection({ contestants }) {
  return contestants.some(one => Object.keys(one.settings).length > 0) && h('details.settings', h('summary', 'Settings'),
      table('', 'Settings', ['contestant', 'settings'], contestants.map(one => h('tr', rowHead(one.name),
          h('td', Object.entries(one.settings).map(([name, value]) => h('span.setting', name + ' ', h('code', value))))))));
}

// ---- the findings of a probe
function probeSection(course, { findings, settings, knee }) {
  return [h('h3', 'Findings'), h('ul.goals', findings.map(line => h('li', line))),
    knee?.points.length > 0 && kneeChart(course, knee),
    settings.length > 0 && [h('h3', 'Recommended settings'), h('div.settings', table('', 'Recommended settings', ['setting', 'value', 'why'],
        settings.map(({ name, value, reason }) => h('tr', rowHead(name), h('td', h('code', value)), h('td', reason)))))]];
}

/** Throughput by concurrency: points and the knee. Points with errors are crosses. */
function kneeChart(course, { points, reached, at, low, high }) {
  const erring = point => point.error_share > 0.03;
  const text = ({ per_second, mean_ms, error_share }) => `${number(per_second)}/s, mean ${number(mean_ms)} ms`
      + (error_share > 0 ? `, ${number(100 * error_share)} % errors` : '');
  const x = numberAxis('concurrent calls', 1, Math.max(2, ...points.map(point => point.at_once)));
  const measured = (name, looks, some) => some.length > 0 ? [{
    name, points: looks, style: 'q1', xs: some.map(point => point.at_once), ys: some.map(point => point.per_second), text: i => text(some[i]),
  }] : [];
  return h('div.plots', h('h3', 'Throughput by concurrency'),
      h('p.note', reached ? 'Vertical line: the knee; shaded: its 95 % confidence interval.' : 'The knee was not reached.',
          points.some(erring) && ' Crosses: more than 3 % errors, not used for the knee.'),
      h('div.grid', course.charts.add({
        id: course.id + '-knee', title: 'throughput per second', main: true, zero: true, x, showX: true,
        bands: reached ? [{ kind: 'knee ' + number(at), from: low, to: high, look: 'noise', mark: at }] : [],
        lines: [
          ...measured('measured', 'ring', points.filter(point => !erring(point))),
          ...measured('with errors', 'cross', points.filter(erring)),
        ],
        describe: () => (reached
            ? `The knee is at ${number(at)}, 95 % confidence interval ${number(low)} to ${number(high)}. ` : 'The knee was not reached. ')
            + 'Measured: ' + points.map(point => `${point.at_once} concurrent calls: ${text(point)}`).join('; ') + '.',
      })));
}

/** The part of a curve within the x axis. It does not change the y axis. */
function curve(name, style, places, { low, high }) {
  const within = places.filter(({ x }) => x >= low && x <= high);
  return { name, style, free: true, xs: within.map(place => place.x), ys: within.map(place => place.y) };
}

// ---- the charts of a course
function chartSection(course) {
  const { single, charts } = course, over = overTime(course), parts = [];
  const tradeoff = tradeoffChart(course), percentiles = percentileChart(course);
  if (over.specs.length === 0 && !tradeoff && !percentiles) return null;
  if (!single) parts.push(charts.legend());
  parts.push(tradeoff);
  if (over.specs.length > 0) {
    parts.push(h('h3', 'Over time'), h('p.note', over.about), h('div.grid', over.specs.map(spec => charts.add(spec))),
        over.left && h('p.note', over.left), over.warnings);
  }
  parts.push(percentiles);
  return h('div.plots', { 'data-course': course.id }, parts);
}

/** Two metrics that trade off against each other: a point per contestant, and the theoretical curve. */
function tradeoffChart(course) {
  const { note, contestants, styles, charts } = course, tradeoff = note?.tradeoff;
  const xOf = one => medianOf(one, tradeoff.across), yOf = one => medianOf(one, tradeoff.upwards);
  const both = tradeoff ? contestants.filter(one => isKnown(xOf(one)) && isKnown(yOf(one))) : [];
  if (both.length === 0) return null;
  const across = metricOf(tradeoff.across).title, upwards = metricOf(tradeoff.upwards).title, xs = both.map(xOf);
  const x = numberAxis(across, Math.min(...xs), Math.max(...xs));
  return [h('h3', `${upwards} against ${across}`), h('p.note', `Dashed: ${tradeoff.theory}.`), h('div.grid', charts.add({
    id: course.id + '-tradeoff', title: upwards, main: true, zero: true, x, showX: true,
    lines: [curve('theory', 'theory', tradeoff.curve, x), ...both.map(one => {
      const c = contestants.indexOf(one), ours = one.role === 'ours';
      return { name: one.name, style: styles[c], ours, c, xs: [xOf(one)], ys: [yOf(one)], points: ours ? 'disc' : 'ring', label: true };
    })],
    describe: () => both.map(one => `${one.name}: ${number(xOf(one))} ${across}, ${number(yOf(one))} ${upwards}.`).join(' '),
  }))];
}

function percentileChart(course) {
  const { contestants, styles, single, charts } = course, title = 'Latency by percentile';
  const lines = contestants.map(({ name, role, percentiles = {} }, c) => {
    const points = Object.entries(percentiles).map(([percent, ms]) => [Number(percent), ms])
        .filter(([percent, ms]) => percent >= 0 && percent < 100 && isKnown(ms)).sort((a, b) => a[0] - b[0]);
    return {
      name: single ? title : name, style: styles[c], c, ours: role === 'ours', xs: points.map(point => point[0]), ys: points.map(point => point[1]),
    };
  }).filter(line => line.xs.length > 0);
  return lines.length > 0 && [h('h3', 'Percentiles'), h('div.grid', charts.add(described({
    id: course.id + '-percentiles', title, unit: 'ms', main: true, x: percentileAxis(Math.max(...lines.map(line => line.xs.at(-1)))), lines,
  })))];
}

const SERIES = Object.entries({ // title, unit, whether it is large, whether its axis starts at 0; with one contestant: its chart, its name there
  p99_ms: ['Latency, p99', 'ms', true, false, 'Latency', 'p99'],
  tps: ['Throughput', 'per second', true, true, 'Rate', 'throughput'],
  p50_ms: ['Latency, p50', 'ms', false, false, 'Latency', 'p50'],
  max_ms: ['Latency, max', 'ms', false, false, 'Latency', 'max'],
  errors: ['Errors', 'per second', false, true],
  rate: ['Offered', 'per second', false, true, 'Rate', 'offered'],
  in_flight: ['In flight', 'transactions', false, true],
  share_1: ['Share of gateway 1', 'concurrent calls', true, true, 'Shares', 'gateway 1'],
  share_2: ['Share of gateway 2', 'concurrent calls', false, true, 'Shares', 'gateway 2'],
  share_3: ['Share of gateway 3', 'concurrent calls', false, true, 'Shares', 'gateway 3'],
  cpu_percent: ['CPU', '% of one core', false, true, 'CPU', 'this process'],
  child_cpu_percent: ['CPU of children', '% of one core', false, true, 'CPU', 'children'],
  heap_mb: ['Heap in use', 'MB', false, true, 'Memory', 'heap'],
  child_rss_mb: ['Memory of children', 'MB', false, true, 'Memory', 'children'],
  alloc_mb_per_s: ['Allocated', 'MB per second', false, true],
  gc_ms: ['GC pauses', 'ms per interval', false, true],
  threads: ['Platform threads', '', false, true],
  tcp_established: ['TCP connections', 'of the machine', false, true],
  tcp_retransmits: ['TCP retransmits', 'per interval', false, true],
  udp_drops: ['Datagrams dropped', 'per interval', false, true],
  lag_ms: ['Generator lag', 'ms', false, true],
}).map(([key, [title, unit, main, zero, family, label]]) => ({ key, title, unit, main, zero, family, label }));

/** With several contestants a chart for each series, a line for each contestant; with one, related series in one chart. */
function overTime(course) {
  const { contestants, single } = course, timed = contestants.filter(one => one.time_line);
  const { bands, about } = bandsOf(course, timed), x = timeAxis(Math.max(0, ...timed.map(one => one.time_line.at.at(-1) ?? 0)));
  const specs = [], zero = [];
  for (const known of Map.groupBy(SERIES, ({ key, family }) => single && family || key).values()) {
    const [first] = known, title = known.length > 1 ? first.family : first.title;
    const lines = single ? linesOfOne(course, known, title) : linesOfAll(course, first.key);
    if (lines.length === 0) continue;
    if (lines.every(line => line.ys.every(v => !v))) zero.push(title);
    else specs.push(described({ ...first, id: course.id + '-' + first.key, title, sync: true, x, lines, bands }));
  }
  const names = new Set(timed.flatMap(one => Object.keys(one.time_line.series))), unknown = [...names].filter(key => !SERIES.some(one => one.key === key));
  return {
    specs, bands, about,
    left: [zero.length > 0 && `Always 0, not plotted: ${zero.join(', ')}.`, unknown.length > 0 && `In the result file only: ${unknown.join(', ')}.`]
        .filter(Boolean).join(' '),
    warnings: timed.filter(one => one.time_line.unsteady).map(one => h('p.warning', h('b', one.name), ': ' + one.time_line.unsteady)),
  };
}

function lineOf({ time_line: line }, key, rest) {
  const ys = line?.series[key]?.map(v => isKnown(v) ? v : null);
  return ys?.some(v => v != null) ? [{ ...rest, xs: line.at, ys }] : [];
}
const linesOfAll = ({ contestants, styles }, key) => contestants.flatMap((one, c) =>
    lineOf(one, key, { name: one.name, style: styles[c], c, ours: one.role === 'ours' }));

/** The main series is second, after the median and before the maximum, and has the accent. */
function linesOfOne({ contestants: [only] }, known, title) {
  const [first, second, ...others] = known, present = [second, first, ...others].filter(one => one && only.time_line?.series[one.key]);
  const accent = Math.min(1, present.length - 1);
  return present.flatMap(({ key, label }, i) => lineOf(only, key, {
    name: known.length > 1 ? label : title, ours: i === accent, style: i === accent ? styleOf('ours', 0, 0) : styleOf('peer', i, 0),
  }));
}

/**
 * The shaded times. Each contestant had its faults in its own blocks: faults that all had at nearly the same time are shaded
 * once, from the earliest start to the latest end. Otherwise those of one contestant are shaded, and the page names it.
 */
function bandsOf({ single }, timed) {
  const ordered = timed.toSorted((a, b) => (b.role === 'ours') - (a.role === 'ours'));
  const met = ordered.map(one => one.time_line.faults.toSorted((a, b) => a.from - b.from)), first = met[0] ?? [];
  const near = (a, b) => a.kind === b?.kind && Math.abs(a.from - b.from) <= 1 && Math.abs(a.to - b.to) <= 1;
  const alike = met.every(faults => faults.length === first.length && first.every((fault, i) => near(fault, faults[i])));
  const faults = alike
      ? first.map(({ kind }, i) => ({ kind, from: Math.min(...met.map(all => all[i].from)), to: Math.max(...met.map(all => all[i].to)) })) : first;
  const warmUp = Math.max(0, ...timed.map(one => one.time_line.warm_up_seconds)), kinds = new Set(faults.map(fault => fault.kind));
  const whose = alike ? '.' : ` of ${ordered[0].name}; the faults of others were at other times.`;
  return {
    bands: [...warmUp > 0 ? [{ kind: 'warm-up', from: 0, to: warmUp, look: 'hatch' }] : [], ...faults.map(fault => ({ ...fault, look: 'fault' }))],
    about: [
      !single && 'The median block of each contestant.', warmUp > 0 && 'Hatched: the warm-up, which does not count.',
      kinds.size > 0 && `Shaded: faults (${[...kinds].join(', ')})${whose}`,
    ].filter(Boolean).join(' '),
  };
}

/** Adds a description of lines for screen readers. */
function described(spec) {
  const extent = lines => {
    const values = lines.flatMap(line => line.ys).filter(v => v != null);
    return `${number(Math.min(...values))} to ${number(Math.max(...values))}` + (spec.unit ? ' ' + spec.unit : '');
  };
  return { ...spec, describe: () => [
    `${spec.title}. One line each for ${spec.lines.map(line => line.name).join(', ')}. X axis: ${spec.x.title}. Y axis: ${extent(spec.lines)}.`,
    ...spec.lines.filter(line => line.ours).map(line => `${line.name}: ${extent([line])}.`),
  ].join(' ') };
}

// ---- the end of the page: the machine, and the command that repeats the measurement
function provenance({ machine, version, seed, aa_noise_percent: noise, command }) {
  const memory = machine.memory_mb >= 1024 ? (machine.memory_mb / 1024).toFixed(1) + ' GB' : machine.memory_mb + ' MB';
  const code = h('code', { id: 'command' }, command), copy = h('button.copy', { type: 'button' }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = 'Selected. Press Ctrl+C to copy';
    }
  });
  return h('section.origin', h('h2', 'How it was measured'),
      h('dl.facts', Object.entries({
        Cores: machine.cores, Memory: machine.memory_mb > 0 ? memory : null, Kernel: machine.kernel, JDK: machine.jdk, Penstock: version, Seed: seed,
        'A/A noise': noise == null ? null : `±${number(noise)} %`,
      }).map(([name, value]) => h('div', h('dt', name), h('dd', value ?? UNKNOWN)))),
      h('h3', 'Command to repeat it'), h('pre.command', { tabindex: 0 }, code), copy);
}

const courses = coursesOf(result);
for (const course of courses) course.charts = new Charts(course);
document.querySelector('main').append(...[summary(courses), ...courses.map(courseSection), provenance(result)]);
const drawn = courses.flatMap(course => course.charts.all);
for (const chart of drawn) chart.start();

function redraw() {
  strokes.clear();
  for (const chart of drawn) chart.draw();
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
// Paper is light.
addEventListener('beforeprint', () => { root.style.colorScheme = 'light'; redraw(); });
addEventListener('afterprint', () => { root.style.colorScheme = ''; redraw(); });
root.dataset.plots = String(document.querySelectorAll('.uplot canvas').length);
