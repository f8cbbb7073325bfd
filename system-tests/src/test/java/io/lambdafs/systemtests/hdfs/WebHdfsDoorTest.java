package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.door.hdfs.HdfsDoorConfig;
import io.lambdafs.door.hdfs.web.WebHdfsDoor;
import io.lambdafs.systemtests.CommandRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS's REST API at a door of this JVM, by Hadoop's own client and by plain HTTP. */
class WebHdfsDoorTest {
    /** More than a page of a listing. */
    private static final int MANY = 1_100;

    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private WebHdfsDoor door;
    private FileSystem fs;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void start() throws IOException {
        cluster = DoorCluster.start(folder);
        door = WebHdfsDoor.start(HdfsDoorConfig.of(cluster.directory(), "", 0));
        fs = FileSystem.newInstance(URI.create(uri("webhdfs")), new Configuration());
        assertThat(fs).isInstanceOf(WebHdfsFileSystem.class);
    }

    @AfterEach
    void stop() throws IOException {
        fs.close();
        door.close();
        cluster.close();
    }

    private String uri(String scheme) {
        return scheme + "://127.0.0.1:" + door.address().getPort();
    }

    private static org.apache.hadoop.fs.Path path(String path) {
        return new org.apache.hadoop.fs.Path(path);
    }

    private void write(String path, byte[] content) throws IOException {
        try (FSDataOutputStream out = fs.create(path(path))) {
            out.write(content);
        }
    }

    private byte[] read(String path) throws IOException {
        try (FSDataInputStream in = fs.open(path(path))) {
            return in.readAllBytes();
        }
    }

    @Test
    void shouldWriteAndReadContentsOfAnyLength() throws Exception {
        for (int size : new int[] {0, 1, 64 << 10, (30 << 20) + 17}) {
            byte[] content = new byte[size];
            new Random(size).nextBytes(content);
            write("/contents/" + size, content);
            assertThat(fs.getFileStatus(path("/contents/" + size)).getLen()).isEqualTo(size);
            assertThat(Arrays.equals(read("/contents/" + size), content)).isTrue();
            if (size > 1) {
                byte[] part = new byte[size / 3];
                try (FSDataInputStream in = fs.open(path("/contents/" + size))) {
                    in.readFully(size / 2, part);
                }
                assertThat(Arrays.equals(part, Arrays.copyOfRange(content, size / 2, size / 2 + part.length)))
                        .isTrue();
            }
        }
        try (FSDataOutputStream out = fs.append(path("/contents/1"))) {
            out.write(7);
        }
        assertThat(read("/contents/1")).hasSize(2).endsWith(7);
        write("/contents/part", new byte[] {8});
        fs.concat(path("/contents/1"), new org.apache.hadoop.fs.Path[] {path("/contents/part")});
        assertThat(read("/contents/1")).hasSize(3).endsWith(7, 8);
        assertThat(fs.truncate(path("/contents/1"), 1)).isTrue();
        assertThat(read("/contents/1")).hasSize(1);
        assertThat(fs.getFileChecksum(path("/contents/1")).getAlgorithmName()).contains("CRC32C");
        assertThatThrownBy(() -> fs.create(path("/contents/1"), false).close())
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldAnswerOnNamesAndAttributesAsHdfs() throws Exception {
        assertThat(fs.mkdirs(path("/names/a b/c+d%&="))).isTrue();
        write("/names/file", new byte[3]);
        assertThat(fs.rename(path("/names/file"), path("/names/a b/moved"))).isTrue();
        assertThat(fs.rename(path("/names/none"), path("/names/x"))).isFalse();
        write("/names/other", new byte[4]);
        ((WebHdfsFileSystem) fs).rename(path("/names/other"), path("/names/a b/moved"), Options.Rename.OVERWRITE);
        assertThat(Arrays.stream(fs.listStatus(path("/names/a b")))
                        .map(each -> each.getPath().getName())
                        .toList())
                .containsExactly("c+d%&=", "moved");
        fs.setPermission(path("/names/a b"), new FsPermission((short) 01750));
        fs.setTimes(path("/names/a b/moved"), 1_000, 2_000);
        fs.setReplication(path("/names/a b/moved"), (short) 5);
        fs.setQuota(path("/names/a b"), 3, 900);
        assertThat(fs.getQuotaUsage(path("/names/a b")))
                .returns(3L, QuotaUsage::getQuota)
                .returns(900L, QuotaUsage::getSpaceQuota)
                .returns(3L, QuotaUsage::getFileAndDirectoryCount);
        assertThatThrownBy(() -> fs.mkdirs(path("/names/a b/more")))
                .isInstanceOf(NSQuotaExceededException.class)
                .hasMessageContaining("The NameSpace quota (directories and files) of directory /names/a b");
        fs.setQuota(path("/names/a b"), -1, -1);
        FileStatus moved = fs.getFileStatus(path("/names/a b/moved"));
        assertThat(moved.getModificationTime()).isEqualTo(1_000);
        assertThat(moved.getReplication()).isEqualTo((short) 5);
        assertThat(moved.getLen()).isEqualTo(4);
        assertThat(fs.getFileStatus(path("/names/a b")).getPermission().toShort())
                .isEqualTo((short) 01750);
        fs.setXAttr(path("/names"), "user.one", new byte[] {1, 2});
        assertThat(fs.getXAttr(path("/names"), "user.one")).containsExactly(1, 2);
        assertThat(fs.getXAttr(path("/names"), "user.lambdafs.dir.bytes")).containsExactly('4');
        assertThat(fs.listXAttrs(path("/names"))).containsExactly("user.one");
        fs.removeXAttr(path("/names"), "user.one");
        assertThat(fs.getXAttrs(path("/names"))).isEmpty();
        List<AclEntry> acl = AclEntry.parseAclSpec("user:somebody:rw-", true);
        fs.modifyAclEntries(path("/names"), acl);
        assertThat(fs.getAclStatus(path("/names")).getEntries()).containsAll(acl);
        fs.removeAcl(path("/names"));
        assertThat(fs.getAclStatus(path("/names")).getEntries()).isEmpty();
        ContentSummary summary = fs.getContentSummary(path("/names"));
        assertThat(summary.getFileCount()).isEqualTo(1);
        assertThat(summary.getLength()).isEqualTo(4);
        assertThat(fs.getHomeDirectory().toUri().getPath())
                .isEqualTo("/user/" + UserGroupInformation.getCurrentUser().getShortUserName());
        fs.access(path("/names"), FsAction.READ);
        assertThat(fs.delete(path("/names"), true)).isTrue();
        assertThat(fs.delete(path("/names"), true)).isFalse();
        assertThatThrownBy(() -> fs.getFileStatus(path("/names"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.listStatus(path("/names"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.open(path("/names")).read()).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> ((WebHdfsFileSystem) fs).getSnapshottableDirectoryList())
                .hasMessageContaining("not a thing that λFS does");
    }

    @Test
    void shouldMakeSnapshots() throws Exception {
        WebHdfsFileSystem web = (WebHdfsFileSystem) fs;
        write("/seen/file", new byte[] {1, 2, 3});
        assertThatThrownBy(() -> web.createSnapshot(path("/seen"), "s"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Directory is not a snapshottable directory: /seen");
        web.allowSnapshot(path("/seen"));
        assertThat(web.createSnapshot(path("/seen"), "s")).isEqualTo(path("/seen/.snapshot/s"));
        fs.delete(path("/seen/file"), false);
        assertThat(read("/seen/.snapshot/s/file")).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> fs.delete(path("/seen/.snapshot/s/file"), false))
                .isInstanceOf(AccessControlException.class);
        assertThat(web.getSnapshotDiffReport(path("/seen"), "s", "").getDiffList())
                .extracting(Object::toString)
                .containsExactly("M\t.", "-\t./file");
        web.createSnapshot(path("/seen"), "u");
        assertThat(web.getSnapshotDiffReport(path("/seen"), "s", "u").getDiffList())
                .hasSize(2);
        web.deleteSnapshot(path("/seen"), "u");
        web.renameSnapshot(path("/seen"), "s", "t");
        assertThat(fs.listStatus(path("/seen/.snapshot")))
                .extracting(each -> each.getPath().getName())
                .containsExactly("t");
        web.deleteSnapshot(path("/seen"), "t");
        web.disallowSnapshot(path("/seen"));
        assertThatThrownBy(() -> fs.listStatus(path("/seen/.snapshot"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void shouldListByPageAndWhole() throws Exception {
        for (int i = 0; i < MANY; i++) {
            fs.mkdirs(path("/many/" + i));
        }
        assertThat(fs.listStatus(path("/many"))).hasSize(MANY);
        RemoteIterator<FileStatus> pages = fs.listStatusIterator(path("/many"));
        int found = 0;
        while (pages.hasNext()) {
            pages.next();
            found++;
        }
        assertThat(found).isEqualTo(MANY);
    }

    @Test
    void shouldServeHadoopsShell() throws Exception {
        Path local = Files.writeString(folder.resolve("local"), "by the shell");
        Configuration configuration = new Configuration();
        configuration.set("fs.defaultFS", uri("webhdfs"));
        for (String[] words : new String[][] {
            {"-mkdir", "-p", "/shell"},
            {"-put", local.toString(), "/shell/file"},
            {"-cp", "/shell/file", "/shell/copy"},
            {"-get", "/shell/copy", folder.resolve("back").toString()},
            {"-rm", "-r", "-skipTrash", "/shell/file"},
        }) {
            assertThat(ToolRunner.run(configuration, new FsShell(), words))
                    .as(words[0])
                    .isZero();
        }
        assertThat(folder.resolve("back")).hasContent("by the shell");
    }

    @Test
    void shouldCheckTheRightsOfTheUserThatIsTold() throws Exception {
        fs.mkdirs(path("/private"), new FsPermission((short) 0700));
        fs.setPermission(path("/private"), new FsPermission((short) 0700));
        UserGroupInformation.createRemoteUser("somebody").doAs((java.security.PrivilegedExceptionAction<Void>) () -> {
            try (FileSystem other = FileSystem.newInstance(URI.create(uri("webhdfs")), new Configuration())) {
                assertThatThrownBy(() -> other.listStatus(path("/private"))).isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> other.create(path("/private/file")).close())
                        .isInstanceOf(AccessControlException.class);
            }
            return null;
        });
    }

    private HttpResponse<String> ask(String method, String query, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri("http") + "/webhdfs/v1" + query))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String raw(String line) throws IOException {
        try (Socket socket =
                new Socket(door.address().getAddress(), door.address().getPort())) {
            socket.getOutputStream()
                    .write((line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String me() throws IOException {
        return UserGroupInformation.getCurrentUser().getShortUserName();
    }

    @Test
    void shouldRedirectWhoSendsContentsAndTellFailuresAsHdfs() throws Exception {
        String me = "user.name=" + me();
        HttpResponse<String> first = ask("PUT", "/plain?op=CREATE&" + me, new byte[0]);
        assertThat(first.statusCode()).isEqualTo(307);
        String place = first.headers().firstValue("location").orElseThrow();
        HttpResponse<String> second = http.send(
                HttpRequest.newBuilder(URI.create(place))
                        .PUT(HttpRequest.BodyPublishers.ofString("plain"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(ask("GET", "/plain?op=open&offset=1&length=3&" + me, new byte[0])
                        .body())
                .isEqualTo("lai");
        assertThat(ask("PUT", "/plain?op=CREATE&noredirect=true&" + me, new byte[0])
                        .body())
                .contains("\"Location\":\"http:");
        // Escaped or not, a path is in UTF-8.
        assertThat(ask("PUT", "/utf/%C3%A9?op=MKDIRS&" + me, new byte[0]).statusCode())
                .isEqualTo(200);
        assertThat(raw("GET /webhdfs/v1/utf/\u00e9?op=GETFILESTATUS&" + me)).startsWith("HTTP/1.1 200");
        assertThat(ask("GET", "/utf?op=LISTSTATUS&" + me, new byte[0]).body()).contains("\"pathSuffix\":\"\u00e9\"");
        HttpResponse<String> none = ask("GET", "/none?op=GETFILESTATUS&" + me, new byte[0]);
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body())
                .contains("\"RemoteException\":", "\"exception\":\"FileNotFoundException\"", "\"javaClassName\":");
        assertThat(ask("GET", "/plain?op=NOSUCH&" + me, new byte[0]).statusCode())
                .isEqualTo(400);
        assertThat(ask("GET", "/plain?op=OPEN&offset=x&" + me, new byte[0]).statusCode())
                .isEqualTo(400);
        assertThat(ask("PUT", "/?op=MKDIRS", new byte[0]).statusCode()).isEqualTo(200);
        assertThat(ask("PUT", "/by-nobody?op=MKDIRS", new byte[0]).statusCode()).isEqualTo(403);
    }

    /** A browser that reads a page of somebody else asks this machine in the name of its user. */
    @Test
    void shouldAnswerNoPageOfAnotherSiteAndNoProxyUser() throws Exception {
        String query = "/?op=LISTSTATUS&user.name=" + me();

        assertThat(ask("GET", query, new byte[0]).statusCode()).isEqualTo(200);
        assertThat(ask("GET", query, new byte[0], "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(ask("GET", query + "&doas=somebody", new byte[0]).statusCode())
                .isEqualTo(403);
        try (Socket socket =
                new Socket(door.address().getAddress(), door.address().getPort())) {
            socket.getOutputStream()
                    .write(("GET /webhdfs/v1" + query + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
    }

    /** A client that is lost in the middle leaves no file that looks whole. */
    @Test
    void shouldNotKeepAFileWhoseContentsDidNotComeToTheirEnd() throws Exception {
        try (Socket socket =
                new Socket(door.address().getAddress(), door.address().getPort())) {
            socket.getOutputStream()
                    .write(("PUT /webhdfs/v1/half?op=CREATE&data=true&user.name=" + me()
                                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().until(() -> fs.exists(path("/half")));
        }
        Awaitility.await().until(() -> !fs.exists(path("/half")));
    }

    private static boolean hasCurl() {
        try {
            return CommandRun.of(List.of("curl", "--version")).exit() == 0;
        } catch (Exception none) {
            return false;
        }
    }

    @Test
    void shouldServeCurl() throws Exception {
        assumeTrue(hasCurl(), "there is no curl");
        Path local = Files.write(folder.resolve("large"), new byte[3 << 20]);
        String file = uri("http") + "/webhdfs/v1/by-curl?user.name=" + me() + "&op=";
        List<String> put = new ArrayList<>(List.of("curl", "-sSf", "-L", "-T", local.toString(), file + "CREATE"));
        assertThat(CommandRun.of(put).err()).isEmpty();
        CommandRun back = CommandRun.of(
                List.of("curl", "-sSf", "-L", "-o", folder.resolve("back").toString(), file + "OPEN"));
        assertThat(back.err()).isEmpty();
        assertThat(folder.resolve("back")).hasSameBinaryContentAs(local);
    }
}
