package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import java.util.List;
import java.util.Set;

/**
 * Settings of doors, which serve other wires in front of the file system.
 *
 * @param open the doors to start, {@code hdfs}, {@code webhdfs}, separated by commas; empty for none
 * @param copies processes of each, any of which a client may ask
 * @param authentication of a door's clients: {@code simple}, Hadoop's, which believes whoever connects, so that a door
 *     listens on this machine alone
 */
public record DoorSettings(String open, int copies, String authentication) {
    private static final List<String> DOORS = List.of("hdfs", "webhdfs");

    public DoorSettings {
        check(
                DOORS.containsAll(names(open))
                        && Set.copyOf(names(open)).size() == names(open).size(),
                "doors.open",
                "hdfs, webhdfs, both with a comma between, or empty for none",
                open);
        check(copies >= 1 && copies <= Service.MOST_DOORS, "doors.copies", "1.." + Service.MOST_DOORS, copies);
        check(
                authentication.equals("simple"),
                "doors.authentication",
                "simple, the only one yet: it believes whoever connects",
                authentication);
    }

    /** Returns whether a door is to be started. */
    boolean has(Service door) {
        return names().contains(door.kind().label()) && Math.max(1, door.number()) <= copies;
    }

    /** Returns the doors to start. */
    List<String> names() {
        return names(open);
    }

    private static List<String> names(String open) {
        return open.isEmpty() ? List.of() : List.of(open.split(",", -1));
    }
}
