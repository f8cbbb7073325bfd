package io.lambdafs.rpc.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a target on its seeds, the files of the resource folder {@code fuzz/<target>}, and on mutations of them, the same ones every
 * time. No input may cost more memory than its length warrants. Stateless.
 */
public final class Replay {
    private static final int MUTATIONS = 20_000;
    private static final int MOST_EDITS = 4;
    private static final long ALLOCATED_AT_REST = 4 << 20;
    private static final long ALLOCATED_PER_BYTE = 4_096;
    private static final long[] TELLING = {0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0xffff_ffffL, -1, Long.MIN_VALUE};

    private Replay() {}

    /** Runs all; fails with the input, in hexadecimal, that broke the target. */
    public static void of(Class<?> target, Consumer<byte[]> run) throws IOException {
        List<byte[]> seeds = seeds(target);
        if (seeds.isEmpty()) {
            throw new AssertionError("no seeds in fuzz/" + target.getSimpleName());
        }
        // Classes that are loaded on the way are no input's cost.
        seeds.forEach(run);
        seeds.forEach(seed -> one(target, run, seed));
        Random random = new Random(1);
        for (int i = 0; i < MUTATIONS; i++) {
            one(target, run, mutate(seeds, random));
        }
    }

    /** An input may be the first to load some classes: it runs again before its cost counts. */
    private static void one(Class<?> target, Consumer<byte[]> run, byte[] input) {
        long most = ALLOCATED_AT_REST + ALLOCATED_PER_BYTE * input.length;
        if (allocated(target, run, input) > most) {
            long again = allocated(target, run, input);
            if (again > most) {
                throw new AssertionError(target.getSimpleName() + " took " + again + " bytes for "
                        + HexFormat.of().formatHex(input));
            }
        }
    }

    private static long allocated(Class<?> target, Consumer<byte[]> run, byte[] input) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            run.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    target.getSimpleName() + " on " + HexFormat.of().formatHex(input) + ": " + e, e);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static List<byte[]> seeds(Class<?> target) throws IOException {
        URL folder = target.getResource("/fuzz/" + target.getSimpleName());
        List<byte[]> seeds = new ArrayList<>();
        if (folder != null) {
            try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
                for (Path file : files.sorted().toList()) {
                    seeds.add(Files.readAllBytes(file));
                }
            } catch (URISyntaxException e) {
                throw new IOException(e);
            }
        }
        return seeds;
    }

    private static byte[] mutate(List<byte[]> seeds, Random random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        for (int edits = 1 + random.nextInt(MOST_EDITS); edits > 0; edits--) {
            int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            bytes = switch (random.nextInt(6)) {
                case 0 -> Arrays.copyOf(bytes, at);
                case 1 -> join(bytes, at, new byte[] {(byte) random.nextInt()}, at);
                case 2 -> join(bytes, at, telling(random), Math.min(bytes.length, at + random.nextInt(9)));
                case 3 -> join(bytes, at, new byte[0], Math.min(bytes.length, at + 1 + random.nextInt(4)));
                case 4 -> join(bytes, at, seeds.get(random.nextInt(seeds.size())), bytes.length);
                default -> flip(bytes, at, random);
            };
        }
        return bytes;
    }

    private static byte[] telling(Random random) {
        long value = TELLING[random.nextInt(TELLING.length)];
        byte[] bytes = new byte[1 << random.nextInt(4)];
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = (byte) value;
            value >>= 8;
        }
        return bytes;
    }

    private static byte[] flip(byte[] bytes, int at, Random random) {
        if (bytes.length > 0) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static byte[] join(byte[] bytes, int end, byte[] middle, int from) {
        byte[] joined = Arrays.copyOf(bytes, end + middle.length + bytes.length - from);
        System.arraycopy(middle, 0, joined, end, middle.length);
        System.arraycopy(bytes, from, joined, end + middle.length, bytes.length - from);
        return joined;
    }
}
