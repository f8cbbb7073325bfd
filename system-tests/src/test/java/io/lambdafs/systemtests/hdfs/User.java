package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Who asks: the superuser, and two users who have a group each, and one in common. */
enum User {
    ROOT("root"),
    U1("g1,users"),
    U2("g2,users");

    private final String groups;

    User(String groups) {
        this.groups = groups;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The primary one first. */
    String groups() {
        return groups;
    }

    UserGroupInformation identity() {
        return UserGroupInformation.createRemoteUser(id());
    }

    /** A file system of this user's own. */
    FileSystem open(URI address, Configuration conf) throws IOException, InterruptedException {
        return FileSystem.newInstance(address, conf, id());
    }

    /** Who is in which group, as Hadoop's static mapping wants it. */
    static String mapping() {
        return Arrays.stream(values())
                .map(user -> user.id() + "=" + user.groups())
                .collect(Collectors.joining(";"));
    }
}
