package io.lambdafs.door.mount.users;

import io.lambdafs.model.inode.Principal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The users or the groups of this machine, by number and by name: those of its file, {@code /etc/passwd} or {@code
 * /etc/group}, and those that {@code getent} knows, remembered for a minute. A number without a name has itself, in
 * decimal, for a name; a name without a number gets one from {@value #FIRST_MADE} on, by its hash, the same on every
 * machine; the superusers' group is root's. Thread-safe.
 */
public final class Accounts {
    private static final int FIRST_MADE = 0x4000_0000;
    private static final int MOST_MADE = 0x3fff_ffff;
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_KEPT = 10_000;
    private static final int MOST_OUTPUT_BYTES = 64 << 10;

    private final String database;
    private final Path file;
    private final LongSupplier nanos;
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    /** Names that no account has, by the numbers made for them. */
    private final Map<Integer, String> made = new HashMap<>();

    private long readNanos;
    private boolean read;

    /**
     * Makes a view of accounts.
     *
     * @param database {@code passwd} or {@code group}, as {@code getent} calls them
     */
    public Accounts(String database) {
        this(database, Path.of("/etc", database), System::nanoTime);
    }

    Accounts(String database, Path file, LongSupplier nanos) {
        this.database = database;
        this.file = file;
        this.nanos = nanos;
    }

    /** Returns the name of a user or group. */
    public synchronized String name(int number) {
        String asMade = made.get(number);
        if (asMade != null) {
            return asMade;
        }
        refresh();
        String known = names.get(number);
        if (known == null) {
            String unsigned = Integer.toUnsignedString(number);
            ask(unsigned);
            known = names.getOrDefault(number, unsigned);
            names.put(number, known);
        }
        return known;
    }

    /** Returns the number of a user or group. */
    public synchronized int number(String name) {
        refresh();
        Integer known = numbers.get(name);
        if (known == null) {
            known = plainNumber(name);
            if (known == null) {
                ask(name);
                known = numbers.get(name);
            }
            if (known == null) {
                known = make(name);
            }
            numbers.put(name, known);
        }
        return known;
    }

    private int make(String name) {
        if (name.equals(Principal.SUPERGROUP)) {
            return 0;
        }
        int number = FIRST_MADE + (name.hashCode() & MOST_MADE);
        if (made.size() < MOST_KEPT) {
            made.put(number, name);
        }
        return number;
    }

    private static @Nullable Integer plainNumber(String name) {
        try {
            return name.isEmpty() || !Character.isDigit(name.charAt(0)) ? null : Integer.parseUnsignedInt(name);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private void refresh() {
        if (read && nanos.getAsLong() - readNanos < KEPT_NANOS && numbers.size() + names.size() < MOST_KEPT) {
            return;
        }
        read = true;
        readNanos = nanos.getAsLong();
        names.clear();
        numbers.clear();
        try {
            Files.readAllLines(file, StandardCharsets.UTF_8).forEach(this::take);
        } catch (IOException e) {
            // Then getent is asked for each.
        }
    }

    /** Takes an account from a line like {@code root:x:0:…}; the first of a name, or of a number, counts. */
    private void take(String line) {
        String[] fields = line.split(":", -1);
        if (fields.length < 3 || fields[0].isEmpty()) {
            return;
        }
        try {
            int number = Integer.parseUnsignedInt(fields[2]);
            names.putIfAbsent(number, fields[0]);
            numbers.putIfAbsent(fields[0], number);
        } catch (NumberFormatException e) {
            // No account.
        }
    }

    private void ask(String key) {
        if (key.startsWith("-")) {
            return;
        }
        try {
            Process asked = new ProcessBuilder("getent", database, key)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            asked.getOutputStream().close();
            new String(asked.getInputStream().readNBytes(MOST_OUTPUT_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(this::take);
            asked.destroy();
        } catch (IOException noSuchCommand) {
            // The file has all there are.
        }
    }
}
