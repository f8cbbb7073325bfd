package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import java.util.Arrays;
import java.util.List;

/**
 * Settings of doors, which serve other wires in front of the file system.
 *
 * @param open the doors to start, {@code hdfs}; empty for none
 * @param authentication of a door's clients: {@code simple}, Hadoop's, which believes whoever connects, so that a door
 *     listens on this machine alone
 */
public record DoorSettings(String open, String authentication) {
    public DoorSettings {
        check(open.matches("|hdfs"), "doors.open", "hdfs, or empty for none", open);
        check(
                authentication.equals("simple"),
                "doors.authentication",
                "simple, the only one yet: it believes whoever connects",
                authentication);
    }

    /** Returns whether a door is to be started. */
    boolean has(String door) {
        return names().contains(door);
    }

    /** Returns the doors to start. */
    List<String> names() {
        return open.isEmpty() ? List.of() : Arrays.asList(open.split(","));
    }
}
