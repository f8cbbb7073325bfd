// How all our pages draw with Chart.js: colours, axes, lines, units.
const plots = (function () {
  'use strict';
  const dark = window.matchMedia('(prefers-color-scheme: dark)');

  // Okabe and Ito's colours, told apart by colour-blind readers too; lighter twins on dark paper.
  const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#7a5195', '#444444'];
  const night = ['#58a6e0', '#f0884a', '#3fc79a', '#e39cc3', '#e3c04b', '#8fd0f5', '#b48ad0', '#c8ccd2'];

  function theme() {
    const css = getComputedStyle(document.documentElement);
    const read = (name) => css.getPropertyValue(name).trim();
    return { ink: read('--ink'), soft: read('--soft'), line: read('--line'), hues: dark.matches ? night : light };
  }

  const compact = (v) => {
    const a = Math.abs(v);
    if (a >= 1e6) return +(v / 1e6).toPrecision(3) + ' M';
    if (a >= 1e3) return +(v / 1e3).toPrecision(3) + ' k';
    return String(+v.toPrecision(3));
  };
  const micros = (v) => (v >= 1e6 ? +(v / 1e6).toPrecision(3) + ' s'
    : v >= 1e3 ? +(v / 1e3).toPrecision(3) + ' ms' : +v.toPrecision(3) + ' µs');
  const isDecade = (v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;

  function axis(t, title, more) {
    const extra = more || {};
    return Object.assign({
      title: { display: true, text: title, color: t.soft },
      grid: { color: t.line }, border: { color: t.line }
    }, extra, { ticks: Object.assign({ color: t.soft, maxRotation: 0 }, extra.ticks) });
  }

  const zero = (t, title, more) => {
    const extra = more || {};
    return axis(t, title, Object.assign({ beginAtZero: true }, extra,
      { ticks: Object.assign({ callback: compact }, extra.ticks) }));
  };

  const logMicros = (t) => axis(t, 'latency', {
    type: 'logarithmic', ticks: { callback: (v) => (isDecade(v) ? micros(v) : '') }
  });

  function line(label, data, colour, more) {
    return Object.assign({
      label: label, data: data, borderColor: colour, backgroundColor: colour,
      borderWidth: 2, pointRadius: data.length < 2 ? 3 : 0, pointHitRadius: 8, tension: 0
    }, more);
  }

  /** One of several lines that are stacked, each above the one before. */
  function stacked(label, data, colour, first) {
    return line(label, data, colour,
      { stepped: 'before', fill: first ? 'origin' : '-1', backgroundColor: colour + '59', borderWidth: 1.5 });
  }

  const atTime = { title: (items) => (items.length ? items[0].parsed.x.toFixed(1) + ' s' : '') };
  const withUnit = (unit) => Object.assign({ label: (i) => i.dataset.label + ': ' + unit(i.parsed.y, i) }, atTime);

  function chart(id, datasets, scales, label) {
    const t = theme();
    return new Chart(document.getElementById(id), {
      type: 'line',
      data: { datasets: datasets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        interaction: { mode: 'index', intersect: false },
        scales: scales,
        plugins: {
          legend: { labels: { color: t.ink, boxWidth: 14, boxHeight: 2 } },
          tooltip: { callbacks: label || {} }
        }
      }
    });
  }

  /** A bar for each label, lying. */
  function bars(id, labels, values, colour, title) {
    const t = theme();
    return new Chart(document.getElementById(id), {
      type: 'bar',
      data: { labels: labels, datasets: [{ label: title, data: values, backgroundColor: colour }] },
      options: {
        indexAxis: 'y', animation: false, responsive: true, maintainAspectRatio: false,
        scales: {
          x: zero(t, title),
          y: axis(t, '', { title: { display: false }, grid: { display: false }, ticks: { autoSkip: false } })
        },
        plugins: { legend: { display: false } }
      }
    });
  }

  return {
    theme: theme, compact: compact, micros: micros, isDecade: isDecade, axis: axis, zero: zero, logMicros: logMicros,
    line: line, stacked: stacked, withUnit: withUnit, chart: chart, bars: bars,
    onTheme: (redraw) => dark.addEventListener('change', redraw)
  };
})();
