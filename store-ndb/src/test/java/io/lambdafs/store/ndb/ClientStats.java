package io.lambdafs.store.ndb;

import com.mysql.jtie.Wrapper;
import io.lambdafs.store.ndb.row.NdbSession;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;

/** Counters of NDB's client for a session, read by a library built from {@code src/test/c}. Stateless. */
final class ClientStats {
    static final String NEEDS = "needs Linux and a C compiler, cc";

    private ClientStats() {}

    /** Builds and loads the library; returns whether it could be built. */
    static boolean load(Path folder) throws InterruptedException {
        Path library = folder.resolve("clientstats.so").toAbsolutePath();
        Path java = Path.of(System.getProperty("java.home"), "include");
        Path ndb = Path.of(System.getenv("NDB_LIBRARY_PATH"));
        List<String> command = List.of(
                "cc",
                "-O1",
                "-shared",
                "-fPIC",
                "-I" + java,
                "-I" + java.resolve("linux"),
                "-o",
                library.toString(),
                Path.of("src/test/c/clientstats.c").toAbsolutePath().toString(),
                ndb.resolve("libndbclient.so").toString(),
                "-Wl,-rpath," + ndb);
        try {
            Process compiler = new ProcessBuilder(command).inheritIO().start();
            if (compiler.waitFor() != 0) {
                compiler.destroyForcibly();
                return false;
            }
        } catch (IOException e) {
            return false;
        }
        System.load(library.toString());
        return true;
    }

    /** A count, by NDB's name for it. */
    static long count(NdbSession session, String name) throws ReflectiveOperationException {
        Field ndb = NdbSession.class.getDeclaredField("ndb");
        ndb.setAccessible(true);
        Field address = Wrapper.class.getDeclaredField("cdelegate");
        address.setAccessible(true);
        long count = count(address.getLong(ndb.get(session)), name);
        if (count < 0) {
            throw new IllegalArgumentException("NDB's client does not count " + name);
        }
        return count;
    }

    private static native long count(long ndb, String name);
}
