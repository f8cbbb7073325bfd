package io.lambdafs.cluster.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The settings keys of a start's or a move's options. */
class StartKeysTest {
    @TempDir
    private Path folder;

    private static <T> T parsed(T options, String... words) {
        new CommandLine(options).parseArgs(words);
        return options;
    }

    private static <T> String keys(T options, BiConsumer<T, ObjectNode> addTo, String words) {
        parsed(options, words.isEmpty() ? new String[0] : words.split(" ", -1));
        ObjectNode keys = Json.object();
        addTo.accept(options, keys);
        return keys.toString().replace('"', '\'');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | {}",
                "--store postgres | {'store':{'engine':'postgres'}}",
                "--store-servers 3 | {'store':{'servers':3}}",
                "--jdbc-url jdbc:x | {'store':{'jdbcUrl':'jdbc:x'}}",
                "--jdbc-user ada | {'store':{'user':'ada'}}",
                "--password-file /secret | {'store':{'passwordFile':'/secret'}}",
                "--ndb-connect h:1 | {'store':{'ndbConnect':'h:1'}}",
                "--ndb-ack checkpoint | {'store':{'ndbAck':'checkpoint'}}",
                "--store ndb --store-servers 2 | {'store':{'engine':'ndb','servers':2}}"
            })
    void shouldSetOfTheStoreWhatIsGivenAlone(String words, String expected) {
        assertThat(keys(new StoreOptions(), StoreOptions::addTo, words)).isEqualTo(expected);
    }

    @Test
    void shouldTellAnAddressFromAnEngine() {
        assertThat(parsed(new StoreOptions(), "--store", "h:1,i:2").address()).isEqualTo("h:1,i:2");
        assertThat(parsed(new StoreOptions(), "--store", "ndb").address()).isEmpty();
        assertThat(new StoreOptions().address()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | {}",
                "--doors hdfs,webhdfs | {'doors':{'open':'hdfs,webhdfs'}}",
                "--doors hdfs,s3 | {'doors':{'open':'hdfs,s3'}}",
                "--doors none | {'doors':{'open':''}}",
                "--door-copies 2 | {'doors':{'copies':2}}",
                "--doors hdfs --door-copies 3 | {'doors':{'open':'hdfs','copies':3}}"
            })
    void shouldOpenTheDoorsThatAreGiven(String words, String expected) {
        assertThat(keys(new DoorOptions(), DoorOptions::addTo, words)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | {}",
                "--coordinator store | {'coordinator':'store'}",
                "--zookeeper z:2181 | {'zookeeper':'z:2181'}",
                "--inv relayed | {'inv':'relayed'}",
                "--tls | {'tls':{'enabled':true}}"
            })
    void shouldCoordinateAsGiven(String words, String expected) {
        assertThat(keys(new CoordinationOptions(), CoordinationOptions::addTo, words))
                .isEqualTo(expected);
    }

    @Test
    void shouldDemandOfARunningClusterWhatIsGivenAlone() {
        Path place = folder.resolve("cluster");
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(place), Console.ofProcess());
        assertThatCode(() -> new CoordinationOptions().demand(cluster)).doesNotThrowAnyException();
        assertThatCode(() -> parsed(new CoordinationOptions(), "--coordinator", "zookeeper", "--inv", "direct")
                        .demand(cluster))
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        parsed(new CoordinationOptions(), "--inv", "relayed").demand(cluster))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessage("--inv relayed: the cluster in " + place
                        + " runs with direct; stop it and start it with cluster start --inv relayed");
    }

    @Test
    void shouldSayAllOfTheStoreThatMetadataMoveTo() {
        MoveOptions own = parsed(new MoveOptions(), "--to", "ndb");
        assertThat(own.engine()).isEqualTo("ndb");
        assertThat(own.keys())
                .hasToString("{\"engine\":\"ndb\",\"jdbcUrl\":\"\",\"user\":\"\",\"passwordFile\":\"\","
                        + "\"ndbConnect\":\"\",\"servers\":1}");
        ObjectNode other = parsed(
                        new MoveOptions(),
                        "--to=postgres",
                        "--jdbc-url=jdbc:postgresql://h/d",
                        "--jdbc-user=ada",
                        "--password-file=/secret")
                .keys();
        assertThat(other)
                .hasToString("{\"engine\":\"postgres\",\"jdbcUrl\":\"jdbc:postgresql://h/d\",\"user\":\"ada\","
                        + "\"passwordFile\":\"/secret\",\"ndbConnect\":\"\",\"servers\":1}");
    }

    @Test
    void shouldRejectWhatDoesNotHold() {
        assertThatCode(() -> Options.check(true, "--n must be 1")).doesNotThrowAnyException();
        assertThatThrownBy(() -> Options.check(false, "--n must be 1"))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessage("--n must be 1");
    }
}
