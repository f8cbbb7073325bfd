package io.lambdafs.deploy.aws;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of an idle stack at list prices of us-east-1 in USD (November 2026); other regions cost up to a third more,
 * and use comes on top: bytes stored and moved, requests, and each millisecond of a function. Immutable.
 *
 * @param lines one for each kind of priced part, with their number
 * @param perHour cost of all of them per hour
 */
public record Estimate(List<Line> lines, double perHour) {
    private static final double HOURS_OF_A_MONTH = 730;
    private static final double GP3_GB_MONTH = 0.08;
    private static final double ACU_HOUR = 0.12;
    private static final double LEAST_ACU = 0.5;

    /** Prices per hour of parts billed while they exist. */
    private static final Map<String, Double> HOURLY = Map.of(
            "AWS::EC2::NatGateway",
            0.045,
            "AWS::EKS::Cluster",
            0.10,
            "AWS::KMS::Key",
            1 / HOURS_OF_A_MONTH,
            "AWS::SecretsManager::Secret",
            0.40 / HOURS_OF_A_MONTH,
            "AWS::RDS::DBInstance",
            LEAST_ACU * ACU_HOUR);

    private static final Map<String, Double> MACHINES = Map.of(
            "m6i.large", 0.096,
            "m6i.xlarge", 0.192,
            "m6i.2xlarge", 0.384,
            "r6i.large", 0.126,
            "r6i.xlarge", 0.252,
            "r6i.2xlarge", 0.504,
            "r5.4xlarge", 1.008);

    /** A kind of part. */
    public record Line(String what, int count, double perHour) {
        String text() {
            return String.format(Locale.ROOT, "%3d × %-34s %8.4f USD/h", count, what, perHour);
        }
    }

    public Estimate {
        lines = List.copyOf(lines);
    }

    /** Returns the estimate of the parts that these parameters create. */
    public static Estimate of(Template template, Map<String, String> parameters) {
        Map<String, String> values = template.parameters(parameters);
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Double> sums = new TreeMap<>();
        for (Template.Part part : template.parts(parameters)) {
            double price = price(part, values);
            if (price > 0) {
                String what = part.type().replace("AWS::", "");
                counts.merge(what, 1, Integer::sum);
                sums.merge(what, price, Double::sum);
            }
        }
        List<Line> lines = new ArrayList<>();
        counts.forEach((what, count) -> lines.add(new Line(what, count, sums.getOrDefault(what, 0.0))));
        return new Estimate(
                lines, sums.values().stream().mapToDouble(Double::doubleValue).sum());
    }

    private static double price(Template.Part part, Map<String, String> values) {
        JsonNode properties = part.properties();
        return switch (part.type()) {
            case "AWS::EC2::VPCEndpoint" ->
                properties.path("VpcEndpointType").asText().equals("Interface")
                        ? 0.01 * Math.max(1, properties.path("SubnetIds").size())
                        : 0;
            case "AWS::EC2::Instance" -> {
                double disk = 0;
                for (JsonNode device : properties.path("BlockDeviceMappings")) {
                    disk += device.path("Ebs").path("VolumeSize").asDouble() * GP3_GB_MONTH / HOURS_OF_A_MONTH;
                }
                yield machine(value(properties.path("InstanceType"), values)) + disk;
            }
            case "AWS::EKS::Nodegroup" ->
                properties.path("ScalingConfig").path("DesiredSize").asInt()
                        * machine(value(properties.path("InstanceTypes").path(0), values));
            default -> HOURLY.getOrDefault(part.type(), 0.0);
        };
    }

    private static String value(JsonNode given, Map<String, String> values) {
        return given.has("Ref") ? values.getOrDefault(given.path("Ref").asText(), "") : given.asText();
    }

    /** Returns the price of a machine type; 0 if it is not listed. */
    private static double machine(String type) {
        return MACHINES.getOrDefault(type, 0.0);
    }

    /** Returns the text for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.text()).append('\n'));
        return text
                + String.format(
                        Locale.ROOT,
                        "%.3f USD per hour, %.0f per month while nobody uses it (list prices of us-east-1); used bytes, requests and functions come on top",
                        perHour,
                        perHour * HOURS_OF_A_MONTH);
    }
}
