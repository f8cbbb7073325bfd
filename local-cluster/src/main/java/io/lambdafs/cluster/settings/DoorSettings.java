package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import java.util.List;
import java.util.Set;

/**
 * Settings of doors, which serve other wires in front of the file system.
 *
 * @param open the doors to start, {@code hdfs}, {@code webhdfs}, {@code s3}, separated by commas; empty for none
 * @param copies processes of each, any of which a client may ask
 * @param authentication of the clients of HDFS's doors: {@code simple}, Hadoop's, which believes whoever connects, so
 *     that a door listens on this machine alone
 * @param s3Root the directory whose directories are S3's buckets
 */
public record DoorSettings(String open, int copies, String authentication, String s3Root) {
    private static final List<String> DOORS = List.of("hdfs", "webhdfs", "s3");

    public DoorSettings {
        check(
                DOORS.containsAll(names(open))
                        && Set.copyOf(names(open)).size() == names(open).size(),
                "doors.open",
                "hdfs, webhdfs, s3, several with commas between, or empty for none",
                open);
        check(copies >= 1 && copies <= Service.MOST_DOORS, "doors.copies", "1.." + Service.MOST_DOORS, copies);
        check(
                authentication.equals("simple"),
                "doors.authentication",
                "simple, the only one yet: it believes whoever connects",
                authentication);
        check(s3Root.startsWith("/"), "doors.s3Root", "the path of a directory", s3Root);
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
