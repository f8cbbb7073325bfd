(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const series = data.series;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const charts = [];

  // Okabe and Ito's colours, told apart by colour-blind readers too; lighter twins on dark paper.
  const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#7a5195', '#444444'];
  const night = ['#58a6e0', '#f0884a', '#3fc79a', '#e39cc3', '#e3c04b', '#8fd0f5', '#b48ad0', '#c8ccd2'];

  function theme() {
    const css = getComputedStyle(document.documentElement);
    const read = (name) => css.getPropertyValue(name).trim();
    return { ink: read('--ink'), soft: read('--soft'), line: read('--line'), hues: dark.matches ? night : light };
  }

  const points = (value) => series.map((p) => ({ x: p.t, y: value(p) }));
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

  function time(t) {
    const last = series.length ? series[series.length - 1].t : 1;
    return axis(t, 'time (s)', { type: 'linear', min: 0, max: Math.ceil(last) });
  }

  function line(label, values, colour, more) {
    return Object.assign({
      label: label, data: values, borderColor: colour, backgroundColor: colour,
      borderWidth: 2, pointRadius: series.length < 2 ? 3 : 0, pointHitRadius: 8, tension: 0
    }, more);
  }

  function draw(id, datasets, scales, label) {
    const t = theme();
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: { datasets: datasets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        interaction: { mode: 'index', intersect: false },
        scales: scales,
        plugins: {
          legend: { labels: { color: t.ink, boxWidth: 14, boxHeight: 2 } },
          tooltip: { callbacks: label }
        }
      }
    }));
  }

  function logMicros(t) {
    return axis(t, 'latency', {
      type: 'logarithmic',
      ticks: { callback: (v) => (isDecade(v) ? micros(v) : '') }
    });
  }

  const atTime = { title: (items) => (items.length ? items[0].parsed.x.toFixed(1) + ' s' : '') };
  const withUnit = (unit) => Object.assign({
    label: (i) => i.dataset.label + ': ' + unit(i.parsed.y, i)
  }, atTime);

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    const t = theme();
    const hue = t.hues;
    const zero = (title, more) => axis(t, title, Object.assign({ beginAtZero: true, ticks: { callback: compact } }, more));

    draw('throughput', [
      line('offered', points((p) => p.offered), hue[1], { borderDash: [6, 4] }),
      line('done', points((p) => p.done), hue[0])
    ], { x: time(t), y: zero('operations per second') }, withUnit((v) => Math.round(v).toLocaleString('en') + ' ops/s'));

    const deployments = series.reduce((n, p) => Math.max(n, p.instances.length), 0);
    const stacks = [];
    for (let d = 0; d < deployments; d++) {
      const colour = hue[d % hue.length];
      stacks.push(line('deployment ' + d, points((p) => p.instances[d] || 0), colour,
        { stepped: 'before', fill: d === 0 ? 'origin' : '-1', backgroundColor: colour + '59', borderWidth: 1.5 }));
    }
    draw('instances', stacks,
      { x: time(t), y: zero('instances', { stacked: true, suggestedMax: 2, ticks: { precision: 0 } }) },
      withUnit((v, i) => String(i.raw.y)));

    const some = (value) => series.filter((p) => p.p99 > 0).map((p) => ({ x: p.t, y: value(p) }));
    draw('latency', [
      line('median', some((p) => p.p50), hue[0]),
      line('99th percentile', some((p) => p.p99), hue[1])
    ], { x: time(t), y: logMicros(t) }, withUnit(micros));

    const names = Object.keys(data.curves);
    draw('distribution', names.map((name, i) => line(name,
      data.curves[name].map((p) => ({ x: p[0], y: p[1] })), name === 'all' ? t.ink : hue[i % hue.length],
      name === 'all' ? { borderWidth: 3 } : {})), {
      x: axis(t, 'percentile', {
        type: 'logarithmic', min: 1,
        ticks: { callback: (v) => (isDecade(v) ? +(100 - 100 / v).toFixed(6) + ' %' : '') }
      }),
      y: logMicros(t)
    }, {
      title: (items) => (items.length ? +(100 - 100 / items[0].parsed.x).toPrecision(6) + ' %' : ''),
      label: (i) => i.dataset.label + ': ' + micros(i.parsed.y)
    });

    draw('cost', [
      line('serverful fleet', points((p) => p.t * data.fleetUsdPerSecond), hue[1], { borderDash: [6, 4] }),
      line('λFS while provisioned', points((p) => p.simplified), hue[2]),
      line('λFS pay-per-use', points((p) => p.cost), hue[0])
    ], { x: time(t), y: zero('cumulative cost (USD)') }, withUnit((v) => '$' + v.toFixed(6)));

    draw('hits', [
      line('cache hit rate', points((p) => p.hits * 100), hue[2], { yAxisID: 'y' }),
      line('waiting', points((p) => p.waiting), hue[3], { yAxisID: 'waiting', borderWidth: 1.5 })
    ], {
      x: time(t),
      y: axis(t, 'cache hits (%)', { min: 0, max: 100 }),
      waiting: zero('operations waiting', { position: 'right', grid: { drawOnChartArea: false } })
    }, withUnit((v, i) => (i.dataset.yAxisID === 'y' ? v.toFixed(1) + ' %' : Math.round(v).toLocaleString('en'))));
  }

  drawAll();
  dark.addEventListener('change', drawAll);
})();
