package io.lambdafs.deploy.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who reaches whom in a stack, by the rules of its security groups, for each connection that docs/DEPLOY.md needs. */
class ReachabilityTest {
    private static final Path TEMPLATE = Path.of("..", "..", "aws-setup", "lambdafs.template.json");
    private static final Map<String, String> AURORA = Map.of("Store", "aurora", "Kubernetes", "true");
    private static final Map<String, String> NDB = Map.of("Store", "ndb", "Kubernetes", "true");
    private static final String FROM_THE_NETWORK = "the addresses of the network";

    /** The ports of the chart, and what a client or an instance listens at. */
    private static final int GATEWAY = 8080;

    private static final int STORE = 7000;
    private static final int DATANODE = 7100;
    private static final int NODE_PORT = 31000;
    private static final int ANY_LISTENER = 40000;

    /** A connection that a cluster cannot do without. */
    private record Pair(String from, String to, int port, Map<String, String> parameters) {}

    static List<Pair> pairs() {
        return List.of(
                new Pair("pod", "aurora", 5432, AURORA),
                new Pair("pod", "ndb", 1186, NDB),
                new Pair("pod", "ndb", 2202, NDB),
                new Pair("ndb", "ndb", 2202, NDB),
                new Pair("pod", "pod", STORE, AURORA),
                new Pair("pod", "client", ANY_LISTENER, AURORA),
                new Pair("function", "pod", STORE, AURORA),
                new Pair("function", "pod", STORE, NDB),
                new Pair("function", "pod", DATANODE, AURORA),
                new Pair("function", "client", ANY_LISTENER, AURORA),
                new Pair("client", "pod", GATEWAY, AURORA),
                new Pair("client", "pod", DATANODE, AURORA),
                new Pair("network", "pod", NODE_PORT, AURORA));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void shouldLetThrough(Pair pair) throws IOException {
        Groups groups = new Groups(pair.parameters());

        assertThat(groups.reaches(groups.of(pair.from()), groups.of(pair.to()), pair.port()))
                .as(
                        "%s with the groups %s to %s with the groups %s",
                        pair.from(), groups.of(pair.from()), pair.to(), groups.of(pair.to()))
                .isTrue();
    }

    static List<Pair> strangers() {
        return List.of(
                new Pair("network", "aurora", 5432, AURORA),
                new Pair("function", "aurora", 5432, AURORA),
                new Pair("client", "ndb", 1186, NDB),
                new Pair("network", "client", ANY_LISTENER, AURORA));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void shouldKeepOut(Pair pair) throws IOException {
        Groups groups = new Groups(pair.parameters());

        assertThat(groups.reaches(groups.of(pair.from()), groups.of(pair.to()), pair.port()))
                .isFalse();
    }

    /** The security groups of a stack with these parameters. */
    private static final class Groups {
        private final JsonNode outputs =
                new ObjectMapper().readTree(TEMPLATE.toFile()).path("Outputs");
        private final List<Template.Part> parts;

        Groups(Map<String, String> parameters) throws IOException {
            parts = Template.shipped().parts(parameters);
        }

        /** Returns the rules for peers without a group, by address. */
        Set<String> of(String who) {
            return switch (who) {
                case "pod" -> ofPods();
                case "aurora" -> all("AWS::RDS::DBCluster", "VpcSecurityGroupIds");
                case "ndb" -> all("AWS::EC2::Instance", "SecurityGroupIds");
                // Functions, and workers of the bench, are given the group of this output.
                case "function", "client" ->
                    Set.of(name(outputs.path("FunctionSecurityGroup").path("Value")));
                case "network" -> Set.of(FROM_THE_NETWORK);
                default -> throw new IllegalArgumentException(who);
            };
        }

        /** EKS gives nodes, and so their pods, the cluster's own group, unless their launch template names others. */
        private Set<String> ofPods() {
            assertThat(parts)
                    .noneMatch(each -> each.type().equals("AWS::EKS::Nodegroup")
                            && each.properties().has("LaunchTemplate"));
            return Set.of(only("AWS::EKS::Cluster").id() + ".ClusterSecurityGroupId");
        }

        private Template.Part only(String type) {
            List<Template.Part> found =
                    parts.stream().filter(each -> each.type().equals(type)).toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }

        private Set<String> all(String type, String property) {
            Set<String> names = new TreeSet<>();
            parts.stream()
                    .filter(each -> each.type().equals(type))
                    .forEach(each -> each.properties().path(property).forEach(group -> names.add(name(group))));
            assertThat(names).isNotEmpty();
            return names;
        }

        private static String name(JsonNode reference) {
            JsonNode attribute = reference.path("Fn::GetAtt");
            return attribute.path(0).asText() + "." + attribute.path(1).asText();
        }

        boolean reaches(Set<String> from, Set<String> to, int port) {
            return to.stream()
                    .anyMatch(group -> from.stream()
                            .anyMatch(source -> isWithinPods(source, group)
                                    || rules(group).stream().anyMatch(rule -> allows(rule, source, port))));
        }

        /** EKS's own rule: whoever has the cluster's group reaches all others that have it. */
        private static boolean isWithinPods(String source, String group) {
            return source.equals(group) && group.endsWith(".ClusterSecurityGroupId");
        }

        private List<JsonNode> rules(String group) {
            List<JsonNode> rules = new ArrayList<>();
            for (Template.Part part : parts) {
                if (part.type().equals("AWS::EC2::SecurityGroup") && group.equals(part.id() + ".GroupId")) {
                    part.properties().path("SecurityGroupIngress").forEach(rules::add);
                } else if (part.type().equals("AWS::EC2::SecurityGroupIngress")
                        && group.equals(name(part.properties().path("GroupId")))) {
                    rules.add(part.properties());
                }
            }
            return rules;
        }

        private static boolean allows(JsonNode rule, String source, int port) {
            JsonNode group = rule.path("SourceSecurityGroupId");
            boolean isSource = group.isMissingNode()
                    ? name(rule.path("CidrIp")).endsWith(".CidrBlock")
                    : source.equals(name(group));
            return isSource
                    && rule.path("FromPort").asInt() <= port
                    && port <= rule.path("ToPort").asInt();
        }
    }
}
