package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For whom the file system acts, and what that user may do. */
class IdentityTest {
    private static final String STATIC_GROUPS = "hadoop.user.group.static.mapping.overrides";

    @TempDir
    private java.nio.file.Path directory;

    private TestService service;
    private Configuration conf;

    @BeforeEach
    void open() {
        service = new TestService(directory);
        conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
    }

    @AfterEach
    void close() {
        service.close();
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(new Configuration(false));
        UserGroupInformation.reset();
    }

    /** The file system as a user gets it. */
    private FileSystem as(UserGroupInformation user) throws Exception {
        return user.doAs(
                (PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(URI.create("lambdafs:///"), conf));
    }

    private static UserGroupInformation user(String name, String... groups) {
        return UserGroupInformation.createUserForTesting(name, groups);
    }

    private void make(String path, String owner, String group, int mode) {
        Principal by = new Principal(owner, List.of(group));
        service.namespace.answer(by, new NamespaceOperation.Mkdirs(FsPath.of(path), mode, true));
    }

    @Test
    void shouldActForTheUserOfTheCallAndHisGroups() throws Exception {
        try (FileSystem fs = as(user("carol", "crew", "staff"))) {
            fs.mkdirs(new Path("/mine"));

            assertThat(service.namespace.caller()).isEqualTo(new Principal("carol", List.of("crew", "staff")));
            assertThat(fs.getHomeDirectory().toUri().getPath()).isEqualTo("/user/carol");
        }
    }

    @Test
    void shouldActForTheUserThatAProxyStandsFor() throws Exception {
        UserGroupInformation real = user("service", "services");
        UserGroupInformation proxy =
                UserGroupInformation.createProxyUserForTesting("dave", real, new String[] {"drivers"});
        try (FileSystem fs = as(proxy)) {
            fs.mkdirs(new Path("/his"));
        }

        assertThat(service.namespace.caller()).isEqualTo(new Principal("dave", List.of("drivers")));
    }

    @Test
    void shouldTakeGroupsFromTheStaticMapping() throws Exception {
        Configuration mapping = new Configuration(false);
        mapping.set(STATIC_GROUPS, "erin=editors,readers;");
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(mapping);
        UserGroupInformation.setConfiguration(mapping);
        try (FileSystem fs = as(UserGroupInformation.createRemoteUser("erin"))) {
            fs.mkdirs(new Path("/hers"));
            assertThat(service.namespace.caller()).isEqualTo(new Principal("erin", List.of("editors", "readers")));
        }

        conf.set("lambdafs.user", "erin");
        try (FileSystem fs = as(user("carol", "crew"))) {
            fs.mkdirs(new Path("/named"));
            assertThat(service.namespace.caller()).isEqualTo(new Principal("erin", List.of("editors", "readers")));
        }

        conf.set("lambdafs.groups", "told");
        try (FileSystem fs = as(user("carol", "crew"))) {
            fs.mkdirs(new Path("/told"));
            assertThat(service.namespace.caller()).isEqualTo(new Principal("erin", List.of("told")));
        }
    }

    @Test
    void shouldNotShareAClientBetweenTheSameUserWithOtherGroups() throws Exception {
        try (FileSystem first = as(user("carol", "crew"));
                FileSystem second = as(user("carol", "staff"))) {
            second.mkdirs(new Path("/second"));
            assertThat(service.namespace.caller().groups()).containsExactly("staff");
            first.mkdirs(new Path("/first"));
            assertThat(service.namespace.caller().groups()).containsExactly("crew");
        }
    }

    @Test
    void shouldHaveTheServiceJudgeAccess() throws Exception {
        make("/crew", "root", "crew", 0750);
        try (FileSystem carol = as(user("carol", "crew"));
                FileSystem dave = as(user("dave", "drivers"));
                FileSystem admin = as(user("admin", Principal.SUPERGROUP))) {
            carol.access(new Path("/crew"), FsAction.READ_EXECUTE);
            assertThatThrownBy(() -> carol.access(new Path("/crew"), FsAction.WRITE))
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> dave.access(new Path("/crew"), FsAction.READ))
                    .isInstanceOf(AccessControlException.class);
            admin.access(new Path("/crew"), FsAction.ALL);
            admin.setPermission(new Path("/crew"), new FsPermission((short) 0));
            admin.access(new Path("/crew"), FsAction.ALL);
            assertThatThrownBy(() -> carol.access(new Path("/none"), FsAction.NONE))
                    .isInstanceOf(IOException.class);
        }
    }
}
