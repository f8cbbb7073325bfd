package io.lambdafs.rpc;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;

/**
 * What the main methods of services share: their single argument, exit codes, an end by a signal, and the file that tells the port.
 * Stateless.
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
         * Starts it.
         *
         * @return what ends it
         * @throws IllegalArgumentException the configuration makes no sense
         * @throws FsException, IOException what it needs cannot be had
         */
        Runnable start(Path configuration) throws IOException;
    }

    /**
     * Runs a service until a signal ends it. The process ends with code 2 where the argument or the configuration makes no sense, 3 where
     * something is unavailable, 1 where what it needs cannot be used.
     *
     * @param main the class that was started
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

    /** Writes a port to a file, at once or not at all. */
    public static void writePort(Path file, int port) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, port + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
