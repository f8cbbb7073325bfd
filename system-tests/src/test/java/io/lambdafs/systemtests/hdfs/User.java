package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** The callers: the superuser, and two users with a group each and one in common. The second user calls from two programs. */
enum User {
    ROOT("root", "root"),
    U1("u1", "g1,users"),
    U2("u2", "g2,users"),
    U2_ELSEWHERE("u2", "g2,users");

    private final String id;
    private final String groups;

    User(String id, String groups) {
        this.id = id;
        this.groups = groups;
    }

    String id() {
        return id;
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
                .distinct()
                .collect(Collectors.joining(";"));
    }
}
