package io.lambdafs.benchmarks.micro.driver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Hadoop's {@code FileSystem}, one object for all threads: a lane is a thread with blocking calls. */
final class HadoopApi implements Api<Path> {
    private final FileSystem fileSystem;

    HadoopApi(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public Path path(String text) {
        return new Path(text);
    }

    @Override
    public Outcome run(Workload<Path> workload, int lanes, Span span, Bounds bounds) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(lanes);
        List<Lane> all = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            int number = i;
            Lane lane = new Lane(span);
            all.add(lane);
            Thread thread = new Thread(
                    () -> {
                        try {
                            work(workload, number, lane, span);
                        } finally {
                            running.countDown();
                        }
                    },
                    "lane-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        Waits.through(span, running, bounds);
        return Outcome.of(span, all);
    }

    private void work(Workload<Path> workload, int number, Lane lane, Span span) {
        long now = System.nanoTime();
        while (!span.isOver(now)) {
            Step<Path> step = workload.next(number);
            if (step == null) {
                span.cut(System.nanoTime());
                return;
            }
            long begun = System.nanoTime();
            Exception thrown = null;
            try {
                call(step);
            } catch (IOException | RuntimeException e) {
                thrown = e;
            }
            now = System.nanoTime();
            lane.note(begun, now, thrown);
        }
    }

    private void call(Step<Path> step) throws IOException {
        Path path = step.path();
        boolean done = switch (step.kind()) {
            case MKDIRS -> fileSystem.mkdirs(path);
            case CREATE -> {
                fileSystem.create(path, false).close();
                yield true;
            }
            case STAT -> fileSystem.getFileStatus(path) != null;
            case OPEN -> {
                fileSystem.open(path).close();
                yield true;
            }
            case LIST -> fileSystem.listStatus(path).length >= step.entries();
            case RENAME -> fileSystem.rename(path, step.destination());
            case DELETE -> fileSystem.delete(path, false);
        };
        if (!done) {
            throw new IOException(step.kind() + " " + path + " did nothing, or showed too little");
        }
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
    }
}
