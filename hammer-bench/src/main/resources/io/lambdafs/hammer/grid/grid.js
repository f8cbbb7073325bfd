(function () {
  'use strict';
  const rows = JSON.parse(document.getElementById('data').textContent).rows;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const charts = [];

  // Okabe and Ito's colours, told apart by colour-blind readers too; lighter twins on dark paper.
  const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b'];
  const night = ['#58a6e0', '#f0884a', '#3fc79a', '#e39cc3', '#e3c04b'];
  const distinct = (get) => [...new Set(rows.map(get))];

  function draw(op) {
    const css = getComputedStyle(document.documentElement);
    const read = (name) => css.getPropertyValue(name).trim();
    const hues = dark.matches ? night : light;
    const figure = document.createElement('figure');
    const plot = document.createElement('div');
    const canvas = document.createElement('canvas');
    figure.innerHTML = '<figcaption></figcaption>';
    figure.firstChild.textContent = op + ': operations per second, by clients';
    plot.className = 'plot';
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', op + ' per second by the number of clients');
    plot.append(canvas);
    figure.append(plot);
    document.getElementById('charts').append(figure);
    const axis = (text, extra) => Object.assign({
      title: { display: true, text: text, color: read('--soft') },
      ticks: { color: read('--soft') }, grid: { color: read('--line') }, border: { color: read('--line') }
    }, extra);
    charts.push(new Chart(canvas, {
      type: 'line',
      data: {
        datasets: distinct((row) => row.setup).map((setup, i) => ({
          label: setup,
          data: rows.filter((row) => row.op === op && row.setup === setup).map((row) => ({ x: row.clients, y: row.opsPerSecond })),
          borderColor: hues[i % hues.length], backgroundColor: hues[i % hues.length], borderWidth: 2,
          borderDash: i < hues.length ? [] : [6, 4]
        }))
      },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        scales: { x: axis('clients', { type: 'logarithmic' }), y: axis('operations per second', { beginAtZero: true }) },
        plugins: { legend: { labels: { color: read('--ink'), boxWidth: 14, boxHeight: 2 } } }
      }
    }));
  }

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    document.getElementById('charts').replaceChildren();
    distinct((row) => row.op).forEach(draw);
  }

  drawAll();
  dark.addEventListener('change', drawAll);
})();
