package io.lambdafs.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.client.tcp.Credentials;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientConfigTest {
    private static final String GATEWAY = "http://127.0.0.1:8080";

    @TempDir
    private Path directory;

    private Path write(String json) throws IOException {
        Secret.loadOrCreate(directory.resolve("secret"));
        Files.writeString(directory.resolve("apikey"), "user:key\n");
        return Files.writeString(directory.resolve("client.json"), json);
    }

    private static String json(String more) {
        return "{\"schema\":1,\"gateway\":\"" + GATEWAY + "\",\"namespace\":\"_\",\"actionPrefix\":\"nn\","
                + "\"deployments\":3,\"secretFile\":\"secret\",\"apiKeyFile\":\"apikey\"" + more + "}";
    }

    private static FsException refusal(ThrowingCallable call) {
        return catchThrowableOfType(FsException.class, call);
    }

    @Test
    void shouldCallTheGatewayByHttpsWhereACaIsNamed() {
        ClientConfigBuilder builder =
                ClientConfig.builder().gatewayAt("host:81").insecure(true).set("tls.ca", "/ca.pem");

        assertThat(builder.build().gateway()).isEqualTo(URI.create("https://host:81"));
        assertThat(builder.tlsCa(null).build().gateway()).isEqualTo(URI.create("http://host:81"));
    }

    @Test
    void shouldRefuseACaWithPlainHttpOrKryoNet() {
        ClientConfigBuilder builder =
                ClientConfig.builder().insecure(true).set("tls.ca", "/ca.pem").gateway(URI.create(GATEWAY));

        assertThat(refusal(builder::build).getMessage()).contains("gateway", "https");
        builder.gatewayAt("host:81").transport(TransportKind.KRYONET);
        assertThat(refusal(builder::build).getMessage()).contains("transport", "KryoNet has no TLS");
    }

    @Test
    void shouldLoadClusterDirectory() throws IOException {
        ClientConfig config = ClientConfig.load(write(json("")));

        assertThat(config.gateway()).isEqualTo(URI.create(GATEWAY));
        assertThat(config.actionPrefix()).isEqualTo("nn");
        assertThat(config.deployments()).isEqualTo(3);
        assertThat(config.apiKey()).isEqualTo("user:key");
        assertThat(config.secret()).isNotNull();
        assertThat(config.principal().user()).isEqualTo(System.getProperty("user.name"));
        assertThat(config.groups()).isNotEmpty().doesNotContain(Principal.SUPERGROUP);
        assertThat(config.http().probability()).isEqualTo(0.005);
        assertThat(config.tcp().transport()).isEqualTo(TransportKind.NETTY);
    }

    @Test
    void shouldTakeTheTransportOfItsCluster() throws IOException {
        Path file = write(json(",\"transport\":\"kryonet\""));

        assertThat(ClientConfig.load(file).tcp().transport()).isEqualTo(TransportKind.KRYONET);
        assertThat(ClientConfigBuilder.load(file)
                        .set("transport", "netty")
                        .build()
                        .tcp()
                        .transport())
                .isEqualTo(TransportKind.NETTY);
    }

    @Test
    void shouldTakeWordOfItsClusterThatThePlatformHasTooLittleRoom() throws IOException {
        assertThat(ClientConfig.load(write(json(""))).antiThrashing().enabled()).isFalse();
        assertThat(ClientConfig.load(write(json(",\"antiThrashing\":true"))).antiThrashing())
                .isEqualTo(
                        new ClientConfig.AntiThrashingUse(true, 2.5, Duration.ofMillis(200), Duration.ofSeconds(30)));
    }

    @Test
    void shouldTakeWordOfItsClusterHowLongAnAttemptMayTake() throws IOException {
        assertThat(ClientConfig.load(write(json(",\"attemptMillis\":19200"))).times())
                .isEqualTo(Times.DEFAULT.withAttempt(Duration.ofMillis(19_200)));
    }

    @Test
    void shouldTakeADistanceFromItsCluster() throws IOException {
        assertThat(ClientConfig.load(write(json(""))).distance()).isEqualTo(ClientConfig.Distance.NONE);
        assertThat(ClientConfig.load(write(json(",\"distance\":{\"tcpMicros\":1000,\"httpMicros\":8000}")))
                        .distance())
                .isEqualTo(new ClientConfig.Distance(Duration.ofMillis(1), Duration.ofMillis(8)));
        Path tooFar = write(json(",\"distance\":{\"tcpMicros\":1000001,\"httpMicros\":0}"));
        assertThat(refusal(() -> ClientConfig.load(tooFar)).getMessage())
                .contains("distance.tcpMicros must be 0..1000000, not 1000001");
    }

    @Test
    void shouldTakeWhatIsDoneAboutLongTailsFromText() {
        ClientConfig config = ClientConfig.builder()
                .gateway(URI.create(GATEWAY))
                .insecure(true)
                .set("stragglers.enabled", "false")
                .set("stragglers.threshold", "4.5")
                .set("stragglers.floor.ms", "20")
                .set("anti-thrashing.enabled", "true")
                .set("anti-thrashing.threshold", "3")
                .set("anti-thrashing.floor.ms", "300")
                .set("anti-thrashing.length.ms", "1500")
                .build();

        assertThat(config.stragglers()).isEqualTo(new ClientConfig.StragglerUse(false, 4.5, Duration.ofMillis(20)));
        assertThat(config.antiThrashing())
                .isEqualTo(
                        new ClientConfig.AntiThrashingUse(true, 3, Duration.ofMillis(300), Duration.ofMillis(1_500)));
        for (String wrong : List.of("stragglers.threshold", "anti-thrashing.threshold", "anti-thrashing.floor.ms")) {
            assertThat(refusal(() -> ClientConfig.builder().set(wrong, "0"))).hasMessageContaining(wrong);
        }
    }

    @Test
    void shouldTakeWhereConnectionsAreSharedFromText() {
        ClientConfigBuilder builder =
                ClientConfig.builder().gateway(URI.create(GATEWAY)).insecure(true);
        assertThat(builder.build().sharing().enabled()).isFalse();

        ClientConfig config = builder.set("sharing.enabled", "true")
                .set("sharing.dir", "/run/me/lambdafs")
                .build();

        assertThat(config.sharing()).isEqualTo(new ClientConfig.SharingUse(true, Path.of("/run/me/lambdafs")));
        assertThat(refusal(() -> ClientConfig.builder().set("sharing.enabled", "yes")))
                .hasMessageContaining("sharing.enabled");
    }

    @Test
    void shouldFindClusterInGivenDirectory() throws IOException {
        write(json(""));

        assertThat(ClientConfig.discover(directory).deployments()).isEqualTo(3);
    }

    @Test
    void shouldPutOwnerOfClusterIntoSupergroup() throws IOException {
        String me = System.getProperty("user.name");

        ClientConfig owner = ClientConfig.load(write(json(",\"superuser\":\"" + me + "\"")));

        assertThat(owner.principal().isSuperuser()).isTrue();
    }

    @Test
    void shouldMintTokensOfItsSecret() throws IOException {
        ClientConfig config = ClientConfig.load(write(json("")));
        ManualScheduler scheduler = new ManualScheduler();
        Tokens tokens = Tokens.signed(
                Secret.load(directory.resolve("secret")), () -> Instant.ofEpochMilli(scheduler.currentTimeMillis()));
        Credentials credentials = Credentials.of(config, scheduler);

        String first = credentials.token();
        scheduler.advance(Duration.ofMinutes(29));
        assertThat(credentials.token()).isEqualTo(first);
        scheduler.advance(Duration.ofMinutes(2));
        String second = credentials.token();

        assertThat(second).isNotEqualTo(first);
        assertThat(tokens.verify(second).role()).isEqualTo(Role.CLIENT);
        assertThat(tokens.verify(second).principal()).isEqualTo(config.principal());
        assertThat(config.toString() + credentials).doesNotContain(second, "user:key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|not a JSON object",
                "{|not JSON",
                "{}|schema",
                "{\"schema\":2}|schema",
                "{\"schema\":1,\"gatway\":\"x\"}|gatway",
                "{\"schema\":1,\"deployments\":\"4\"}|whole number",
                "{\"schema\":1,\"gateway\":7}|must be a string",
                "{\"schema\":1,\"gateway\":\"a b\"}|gateway",
                "{\"schema\":1,\"transport\":\"pigeon\"}|netty or kryonet"
            })
    void shouldSayWhatIsWrongWithClientFile(String json, String expected) throws IOException {
        Path file = write(json);

        FsException refusal = refusal(() -> ClientConfig.load(file));

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(refusal.getMessage()).contains(file.toString(), expected);
    }

    @Test
    void shouldSayHowToNameClusterThatIsMissing() {
        FsException refusal = refusal(() -> ClientConfig.discover(directory.resolve("nowhere")));

        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.getMessage()).contains("nowhere", "client.json", "--dir", "LAMBDAFS_DIR");
    }

    @Test
    void shouldListenWhereInstancesOnOtherMachinesReachIt() throws IOException {
        Optional<String> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst();
        assumeTrue(own.isPresent(), "this machine has no address but loopback");
        Path file = write(json("").replace(GATEWAY, "http://" + own.get() + ":8080")
                .replace("}", ",\"listenTowardsGateway\":true}"));

        ClientConfig config = ClientConfig.load(file);

        assertThat(config.tcp().host()).isEqualTo(own.get());
        assertThat(config.tcp().advertisedHost()).isEqualTo(own.get());
    }

    @Test
    void shouldRefuseSecretThatOthersCanRead() throws IOException {
        Path file = write(json(""));
        Files.setPosixFilePermissions(directory.resolve("secret"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(refusal(() -> ClientConfig.load(file)).getMessage()).contains("open to others");
    }

    @ParameterizedTest
    @CsvSource({
        "gateway, ftp://h",
        "gateway, nonsense",
        "namespace, a/b",
        "deployments, 0",
        "deployments, four",
        "http.probability, 0.02",
        "http.probability, -1",
        "http.replacements, 0",
        "http.in-flight, 0",
        "tcp.port, 70000",
        "tcp.enabled, yes",
        "tcp.advertised-host, 0.0.0.0",
        "attempt.ms, 1",
        "in-flight, 0"
    })
    void shouldRefuseValueAndNameKey(String key, String value) {
        ClientConfigBuilder builder =
                ClientConfig.builder().gateway(URI.create(GATEWAY)).insecure(true);

        FsException refusal = refusal(() -> builder.set(key, value).build());

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(refusal.getMessage()).containsAnyOf(key, key.replaceAll("[.]ms$", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "deployments, four, it takes a whole number",
        "http.probability, often, it takes a number",
        "attempt.ms, 1s, it takes a whole number of milliseconds"
    })
    void shouldSayWhatANumberIsExpectedToBe(String key, String value, String why) {
        FsException refusal = refusal(() -> ClientConfig.builder().set(key, value));

        assertThat(refusal.getMessage()).isEqualTo("configuration " + key + " cannot be \"" + value + "\": " + why);
    }

    @Test
    void shouldNameNearestKeyOfUnknownOne() {
        FsException refusal = refusal(() -> ClientConfig.builder().set("http.probabilty", "0"));

        assertThat(refusal.getMessage()).contains("http.probabilty", "http.probability");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepAdvertisedHostWhicheverIsSetFirst(boolean hostFirst) {
        ClientConfigBuilder builder =
                ClientConfig.builder().gateway(URI.create(GATEWAY)).insecure(true);
        List<String> keys =
                hostFirst ? List.of("tcp.host", "tcp.advertised-host") : List.of("tcp.advertised-host", "tcp.host");
        keys.forEach(key -> builder.set(key, key.equals("tcp.host") ? "0.0.0.0" : "10.0.0.7"));

        assertThat(builder.build().tcp().host()).isEqualTo("0.0.0.0");
        assertThat(builder.build().tcp().advertisedHost()).isEqualTo("10.0.0.7");
    }

    @Test
    void shouldNeedExactlyOneProof() {
        ClientConfigBuilder none = ClientConfig.builder().gateway(URI.create(GATEWAY));

        assertThat(refusal(none::build).getMessage()).contains("secret file", "token", "insecure");
        assertThat(none.insecure(true).build().secret()).isNull();
    }

    @Test
    void shouldTakeGroupsOfTheOperatingSystem() {
        assertThat(OsUser.groups("root")).contains("root");
        assertThat(OsUser.groups("no-such-user-here")).containsExactly("no-such-user-here");
        assertThat(OsUser.groups("-x")).containsExactly("-x");
    }
}
