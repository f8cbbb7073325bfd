package io.lambdafs.rpc;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;

/**
 * The common main method of services: a single argument, exit codes, shutdown by signal, and the port file. Stateless.
 */
public final class ServiceMain {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int UNAVAILABLE = 3;

    private ServiceMain() {}

    /** Starts a service from its configuration file. */
    @FunctionalInterface
    public interface Start {
        /**
         * Starts the service.
         *
         * @return ends the service when run
         * @throws IllegalArgumentException if the configuration is invalid
         * @throws FsException, IOException if a resource is unavailable
         */
        Runnable start(Path configuration) throws IOException;
    }

    /**
     * Runs a service until a signal ends it. Exit codes: 2 for an invalid argument or configuration, 3 if something is
     * unavailable, 1 if something needed cannot be used.
     *
     * @param main the class started
     */
    public static void run(Class<?> main, String[] arguments, Start service) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: " + main.getSimpleName() + " CONFIG.json");
            System.exit(USAGE);
        }
        DeathWatch.endProcess();
        try {
            Runnable end = service.start(Path.of(arguments[0]));
            Runtime.getRuntime().addShutdownHook(new Thread(end, "close"));
        } catch (IllegalArgumentException e) {
            exit(e, USAGE);
        } catch (FsException e) {
            exit(e, e.code() == ErrorCode.UNAVAILABLE ? UNAVAILABLE : FAILED);
        } catch (IOException e) {
            exit(e, UNAVAILABLE);
        }
        new CountDownLatch(1).await(); // Until a signal's shutdown hook has closed everything.
    }

    private static void exit(Exception why, int code) {
        System.err.println(why.getMessage());
        System.exit(code);
    }

    /** Returns the port in a file that {@link #writePort} wrote; empty if there is none. */
    public static OptionalInt readPort(Path file) {
        try {
            int port = Integer.parseInt(Files.readString(file).strip());
            return port > 0 && port < 65_536 ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (IOException | NumberFormatException absent) {
            return OptionalInt.empty();
        }
    }

    /** Writes a port to a file atomically. */
    public static void writePort(Path file, int port) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, port + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
