package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PortsTest {
    private static ClusterSettings settings(Service service, int port, String listen) {
        ObjectNode keys = Json.object().put("listen", listen);
        keys.putObject("tls").put("plainBeyondLoopback", true);
        keys.putObject("ports").put(service.kind().label(), port);
        return SettingsFile.over(ClusterSettings.defaults("me", new Machine(2, 8_192)))
                .with(keys, "test")
                .settings();
    }

    private static ServerSocket taken() throws Exception {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    static List<Service> services() {
        return List.of(Service.ZOOKEEPER, Service.STORE, Service.GATEWAY, Service.datanode(1));
    }

    @ParameterizedTest
    @MethodSource("services")
    void shouldNameServicePortAndSettingWhenAPortIsTaken(Service service) throws Exception {
        try (ServerSocket socket = taken()) {
            int port = socket.getLocalPort();
            assertThatThrownBy(() -> Ports.choose(service, settings(service, port, "127.0.0.1"), OptionalInt.empty()))
                    .isInstanceOfSatisfying(
                            CommandFailure.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.FAILED))
                    .hasMessageContaining("the " + service.label() + " cannot listen on 127.0.0.1:" + port)
                    .hasMessageContaining("\"ports." + service.kind().label() + "\"");
        }
    }

    @Test
    void shouldKeepThePortOfBeforeUnlessSomebodyTookIt() throws Exception {
        ClusterSettings any = settings(Service.STORE, 0, "127.0.0.1");
        int port;
        try (ServerSocket socket = taken()) {
            port = socket.getLocalPort();
            assertThat(Ports.choose(Service.STORE, any, OptionalInt.of(port))).isZero();
        }
        assertThat(Ports.choose(Service.STORE, any, OptionalInt.of(port))).isEqualTo(port);
        assertThat(Ports.choose(Service.STORE, any, OptionalInt.empty())).isZero();
        assertThat(Ports.choose(Service.STORE, settings(Service.STORE, port, "127.0.0.1"), OptionalInt.of(1)))
                .isEqualTo(port);
    }

    @Test
    void shouldRefuseAnAddressThatIsNotOfThisMachine() {
        assertThatThrownBy(() ->
                        Ports.choose(Service.GATEWAY, settings(Service.GATEWAY, 0, "192.0.2.1"), OptionalInt.empty()))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("cannot listen on 192.0.2.1:0");
        // Store and ZooKeeper stay on loopback whatever the gateway listens on.
        assertThat(Ports.choose(Service.STORE, settings(Service.STORE, 0, "192.0.2.1"), OptionalInt.empty()))
                .isZero();
    }

    @Test
    void shouldTakeAnIpv6AddressInBrackets() throws Exception {
        assumeTrue(
                NetworkInterface.getByInetAddress(InetAddress.getAllByName("::1")[0]) != null,
                "this machine has no IPv6");
        ClusterSettings any = settings(Service.GATEWAY, 0, "[::1]");
        assertThat(Ports.choose(Service.GATEWAY, any, OptionalInt.empty())).isZero();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getAllByName("::1")[0])) {
            int port = socket.getLocalPort();
            assertThatThrownBy(() -> Ports.choose(
                            Service.GATEWAY, settings(Service.GATEWAY, port, "[::1]"), OptionalInt.empty()))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("cannot listen on [::1]:" + port);
        }
    }
}
