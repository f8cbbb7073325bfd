package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.FsPath;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Names in the users' trash, as Hadoop's clients give them. Stateless. */
public final class Checkpoints {
    /** Holds a directory for each user. */
    public static final FsPath USERS = FsPath.of("/user");

    /** The entry of a trash that is no checkpoint yet. */
    public static final String CURRENT = "Current";

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyMMddHHmmss", Locale.ROOT);
    private static final int SECONDS_FROM = 10;

    private Checkpoints() {}

    /** Returns a user's trash. */
    public static FsPath trashOf(String user) {
        return USERS.child(user).child(".Trash");
    }

    /** Returns the name of a checkpoint that is made at a time. */
    static String name(Instant made, ZoneId zone) {
        return NAME.format(made.atZone(zone));
    }

    /**
     * Returns when a checkpoint was made; empty if the name is not a checkpoint's. Two of the same second differ by a
     * number.
     */
    public static Optional<Instant> made(String name, ZoneId zone) {
        String digits = name.replaceFirst("-\\d+$", "");
        try {
            return Optional.of(LocalDateTime.parse(digits.length() == SECONDS_FROM ? digits + "00" : digits, NAME)
                    .atZone(zone)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
