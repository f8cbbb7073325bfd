package io.lambdafs.model.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A small file system of its own at a directory, where this process may mount one. */
public final class RamDisk implements AutoCloseable {
    private static final int BLOCK = 1 << 20;

    private final Path directory;
    private final boolean mounted;

    private RamDisk(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
    }

    public static RamDisk mount(Path directory, int megabytes) throws IOException {
        Files.createDirectories(directory);
        return new RamDisk(
                directory,
                run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "lambdafs-test", directory.toString()));
    }

    /** Mounts one, or skips the test where this process may not. */
    public static RamDisk mountOrSkip(Path directory, int megabytes) throws IOException {
        RamDisk disk = mount(directory, megabytes);
        assumeTrue(disk.mounted, "may not mount a file system here");
        return disk;
    }

    public Path directory() {
        return directory;
    }

    public boolean isMounted() {
        return mounted;
    }

    private Path ballast() {
        return directory.resolve("ballast");
    }

    /** Fills it until so much is free; 0 takes the last byte. */
    public void fill(long freeBytes) throws IOException {
        try (OutputStream out =
                Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] block = new byte[BLOCK];
            while (freeBytes == 0 || Files.getFileStore(directory).getUsableSpace() > freeBytes) {
                out.write(block);
            }
        } catch (IOException full) {
            if (freeBytes != 0) {
                throw full;
            }
        }
    }

    public void empty() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private static boolean run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (mounted && !run("umount", directory.toString()) && !run("umount", "-l", directory.toString())) {
            throw new IOException("cannot unmount " + directory);
        }
    }
}
