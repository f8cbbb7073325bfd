package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The database that holds the rows. Immutable.
 *
 * @param url in pgjdbc's form, {@code jdbc:postgresql://HOST:PORT/DATABASE}; no password
 * @param passwordFile a file that holds only the password; empty if the database asks for none
 * @param cluster the id of the cluster that the tables belong to
 * @param readers the number of connections for reads, 1–64
 */
public record SqlSettings(String url, String user, Optional<Path> passwordFile, String cluster, int readers) {
    private static final String PREFIX = "jdbc:postgresql:";
    private static final int MOST_READERS = 64;

    public SqlSettings {
        if (!url.startsWith(PREFIX)) {
            throw new IllegalArgumentException("jdbcUrl is " + PREFIX + "//HOST:PORT/DATABASE, not \"" + url + "\"");
        }
        if (url.contains("password=")) {
            throw new IllegalArgumentException("jdbcUrl must not hold a password: put it into a file, passwordFile");
        }
        if (readers < 1 || readers > MOST_READERS) {
            throw new IllegalArgumentException("readers is 1.." + MOST_READERS + ", not " + readers);
        }
    }

    /** Returns the password; empty if there is none. Not for logs. */
    String password() {
        try {
            return passwordFile.isPresent()
                    ? Files.readString(passwordFile.get()).strip()
                    : "";
        } catch (IOException e) {
            throw FsException.unavailable("cannot read the password file " + passwordFile.get() + ": " + e, e);
        }
    }
}
