package io.lambdafs.systemtests.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;

/** A program of HDFS's own client, which knows nothing of λFS. Prints each step that went right. */
public final class StockHdfsProgram {
    private static final int[] SIZES = {0, 1, 511, 512, 64 << 10, (1 << 20) + 1};
    private static final int PART = 1 << 20;

    /** The last line that is printed. */
    static final String END = "all steps went right";

    private final Configuration configuration = new Configuration();
    private final java.nio.file.Path local;
    private final int large;
    final DistributedFileSystem fs;

    private StockHdfsProgram(String uri, java.nio.file.Path local, int largeMb) throws IOException {
        this.large = largeMb << 20;
        configuration.set("fs.defaultFS", uri);
        this.local = local;
        this.fs = (DistributedFileSystem) FileSystem.get(URI.create(uri), configuration);
    }

    /** A step. */
    interface Step {
        void run() throws Exception;
    }

    /** @param arguments the file system's URI, an empty local directory, and the megabytes of a large file */
    public static void main(String[] arguments) throws Exception {
        StockHdfsProgram program =
                new StockHdfsProgram(arguments[0], java.nio.file.Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        for (Named each : program.steps()) {
            each.step().run();
            System.out.println(each.name());
        }
        program.fs.close();
        System.out.println(END);
    }

    /** A step with the name that is printed after it. */
    private record Named(String name, Step step) {}

    private List<Named> steps() {
        StockHdfsNames names = new StockHdfsNames(this, configuration, local);
        return List.of(
                new Named("contents", this::contents),
                new Named("ranges", this::ranges),
                new Named("names", names::names),
                new Named("attributes", names::attributes),
                new Named("listings", names::listings),
                new Named("changes of contents", this::changes),
                new Named("visible lengths", this::visible),
                new Named("rights", names::rights),
                new Named("what is absent", names::absent),
                new Named("quotas", names::quotas),
                new Named("snapshots", names::snapshots),
                new Named("shell", names::shell));
    }

    static void check(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }

    static void same(Object found, Object expected) {
        check(Objects.equals(found, expected), "found " + found + ", expected " + expected);
    }

    static void fails(Class<?> how, String named, Step step) {
        try {
            step.run();
        } catch (Exception e) {
            check(how.isInstance(e) && e.toString().contains(named), "failed otherwise: " + e);
            return;
        }
        throw new AssertionError("did not fail by " + how);
    }

    void write(Path path, long size) throws IOException {
        Random random = new Random(size);
        byte[] part = new byte[PART];
        try (FSDataOutputStream out = fs.create(path)) {
            for (long left = size; left > 0; left -= PART) {
                random.nextBytes(part);
                out.write(part, 0, (int) Math.min(PART, left));
            }
        }
    }

    void compare(Path path, long size) throws IOException {
        same(fs.getFileStatus(path).getLen(), size);
        Random random = new Random(size);
        byte[] part = new byte[PART];
        byte[] found = new byte[PART];
        try (FSDataInputStream in = fs.open(path)) {
            for (long left = size; left > 0; left -= PART) {
                random.nextBytes(part);
                int length = (int) Math.min(PART, left);
                in.readFully(found, 0, length);
                check(Arrays.equals(part, 0, length, found, 0, length), path + " differs at " + (size - left));
            }
            same(in.read(), -1);
        }
    }

    private void contents() throws IOException {
        for (int size : SIZES) {
            Path path = new Path("/contents/" + size);
            write(path, size);
            compare(path, size);
        }
        write(new Path("/contents/large"), large);
        compare(new Path("/contents/large"), large);
        fails(
                IOException.class,
                "",
                () -> fs.create(new Path("/contents/0"), false).close());
        write(new Path("/contents/0"), 5);
        compare(new Path("/contents/0"), 5);
    }

    /** Reads at positions, across blocks, of a file of many blocks. */
    private void ranges() throws IOException {
        byte[] content = new byte[(5 << 20) + 777];
        new Random(1).nextBytes(content);
        Path path = new Path("/ranges");
        try (FSDataOutputStream out = fs.create(path, true, 4_096, (short) 1, 1 << 20)) {
            out.write(content);
        }
        same(fs.getFileBlockLocations(fs.getFileStatus(path), 0, content.length).length, 6);
        Random random = new Random(2);
        try (FSDataInputStream in = fs.open(path)) {
            for (int i = 0; i < 40; i++) {
                int from = random.nextInt(content.length);
                byte[] part = new byte[Math.min(content.length - from, random.nextInt(i % 4 == 0 ? 2 << 20 : 5_000))];
                in.readFully(from, part);
                check(Arrays.equals(part, Arrays.copyOfRange(content, from, from + part.length)), "differs at " + from);
            }
            fails(EOFException.class, "", () -> in.readFully(content.length - 1, new byte[2]));
        }
        Path copy = new Path("/ranges-copy");
        try (FSDataOutputStream out = fs.create(copy, true, 4_096, (short) 1, 1 << 20)) {
            out.write(content);
        }
        same(fs.getFileChecksum(copy), fs.getFileChecksum(path));
        System.out.println("checksum " + fs.getFileChecksum(path));
    }

    String text(Path path) throws IOException {
        try (InputStream in = fs.open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void changes() throws IOException {
        Path path = new Path("/changes/file");
        try (FSDataOutputStream out = fs.create(path)) {
            out.writeBytes("one,");
        }
        try (FSDataOutputStream out = fs.append(path)) {
            out.writeBytes("two,");
        }
        try (FSDataOutputStream out = fs.append(path)) {
            out.writeBytes("three");
        }
        same(text(path), "one,two,three");
        check(fs.truncate(path, 7), "truncate");
        same(text(path), "one,two");
        Path part = new Path("/changes/part");
        try (FSDataOutputStream out = fs.create(part)) {
            out.writeBytes(",more");
        }
        fs.concat(path, new Path[] {part});
        same(text(path), "one,two,more");
        check(!fs.exists(part), "the part is gone");
        FSDataOutputStream left = fs.create(new Path("/changes/left"));
        left.writeBytes("left");
        left.hflush();
        check(fs.recoverLease(new Path("/changes/left")), "recoverLease");
        check(fs.isFileClosed(new Path("/changes/left")), "it is closed");
        same(text(new Path("/changes/left")), "left");
        fails(IOException.class, "", left::close);
    }

    private void visible() throws IOException {
        Path path = new Path("/visible");
        byte[] content = new byte[100_000];
        new Random(3).nextBytes(content);
        int written = 0;
        try (FSDataOutputStream out = fs.create(path)) {
            for (int next : new int[] {3, 700, 70_000}) {
                out.write(content, written, next);
                written += next;
                out.hflush();
                try (FSDataInputStream in = fs.open(path)) {
                    byte[] found = in.readAllBytes();
                    check(
                            Arrays.equals(found, Arrays.copyOf(content, written)),
                            "flushed " + written + ", found " + found.length);
                }
            }
            out.write(content, written, 10);
            written += 10;
            ((HdfsDataOutputStream) out).hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
            same(fs.getFileStatus(path).getLen(), (long) written);
            out.write(content, written, content.length - written);
        }
        try (FSDataInputStream in = fs.open(path)) {
            check(Arrays.equals(in.readAllBytes(), content), "the closed file");
        }
    }
}
