package io.lambdafs.deploy.aws;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Capability;
import software.amazon.awssdk.services.cloudformation.model.ChangeSetStatus;
import software.amazon.awssdk.services.cloudformation.model.ChangeSetType;
import software.amazon.awssdk.services.cloudformation.model.CloudFormationException;
import software.amazon.awssdk.services.cloudformation.model.DescribeChangeSetResponse;
import software.amazon.awssdk.services.cloudformation.model.Parameter;
import software.amazon.awssdk.services.cloudformation.model.ResourceChange;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackEvent;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;
import software.amazon.awssdk.services.cloudformation.model.Tag;

/**
 * Manages the stacks of a region through CloudFormation's change sets, which show changes in advance. Confined to one
 * thread, which it blocks.
 */
public final class Stacks implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofMinutes(60);

    private final SdkHttpClient http;
    private final CloudFormationClient cloud;
    private final Duration poll;

    private Stacks(SdkHttpClient http, CloudFormationClient cloud, Duration poll) {
        this.http = http;
        this.cloud = cloud;
        this.poll = poll;
    }

    /** Opens a region's stacks with credentials from the SDK's chain. */
    public static Stacks open(StackChoice choice) {
        SdkHttpClient http = UrlConnectionHttpClient.create();
        var builder = CloudFormationClient.builder()
                .region(Region.of(choice.region()))
                .httpClient(http);
        URI endpoint = choice.endpoint();
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        return new Stacks(http, builder.build(), endpoint == null ? POLL : Duration.ofMillis(100));
    }

    /** The state of a stack. */
    public record State(String status, Map<String, String> outputs, boolean isOurs) {}

    public Optional<State> find(String name) {
        return ask(
                "look for the stack " + name,
                () -> stack(name).map(found -> {
                    Map<String, String> outputs = new TreeMap<>();
                    found.outputs().forEach(each -> outputs.put(each.outputKey(), each.outputValue()));
                    return new State(found.stackStatusAsString(), outputs, isOurs(found));
                }));
    }

    /** Returns what of a stack refuses to be deleted, in words; empty if nothing does. */
    private static String protectedParts(Stack found) {
        Map<String, String> given = new TreeMap<>();
        found.parameters().forEach(each -> given.put(each.parameterKey(), each.parameterValue()));
        if (!"true".equals(given.get("Protection"))) {
            return "";
        }
        return switch (given.getOrDefault("Store", "")) {
            case "aurora" -> "the Aurora database";
            case "ndb" -> "the hosts of NDB";
            default -> "";
        };
    }

    private static boolean isOurs(Stack found) {
        return found.tags().stream()
                .anyMatch(tag ->
                        tag.key().equals(StackChoice.CLUSTER_TAG) && tag.value().equals(found.stackName()));
    }

    private Optional<Stack> stack(String name) {
        try {
            return cloud.describeStacks(asked -> asked.stackName(name)).stacks().stream()
                    .filter(each -> each.stackStatus() != StackStatus.DELETE_COMPLETE)
                    .findFirst();
        } catch (CloudFormationException none) {
            if (String.valueOf(none.getMessage()).contains("does not exist")) {
                return Optional.empty();
            }
            throw none;
        }
    }

    /**
     * Creates or updates a stack to match its specification; a matching one stays untouched.
     *
     * @param dryRun whether to report changes without making them
     * @return one for each changed part
     */
    public List<PartChange> apply(StackChoice choice, Template template, boolean dryRun) {
        return ask("change the stack " + choice.name(), () -> {
            Optional<Stack> found = stack(choice.name());
            if (found.isPresent() && !isOurs(found.get())) {
                throw new FsException(
                        ErrorCode.ALREADY_EXISTS,
                        "there is a stack " + choice.name() + " that λFS did not make: take another name");
            }
            return found.isEmpty() ? create(choice, template, dryRun) : update(choice, template, dryRun);
        });
    }

    private List<PartChange> create(StackChoice choice, Template template, boolean dryRun) {
        if (!dryRun) {
            cloud.createStack(asked -> asked.stackName(choice.name())
                    .templateBody(template.text())
                    .parameters(parameters(choice, template))
                    .tags(tags(choice))
                    .capabilities(Capability.CAPABILITY_IAM));
            await(choice.name(), StackStatus.CREATE_COMPLETE);
        }
        return template.parts(choice.parameters()).stream()
                .map(part -> new PartChange(PartChange.Kind.CREATED, part.type(), part.id()))
                .toList();
    }

    private List<PartChange> update(StackChoice choice, Template template, boolean dryRun) {
        DescribeChangeSetResponse set = changeSet(choice, template);
        if (dryRun || isEmpty(set)) {
            cloud.deleteChangeSet(
                    asked -> asked.changeSetName(set.changeSetId()).stackName(choice.name()));
        } else {
            cloud.executeChangeSet(
                    asked -> asked.changeSetName(set.changeSetId()).stackName(choice.name()));
            await(choice.name(), StackStatus.UPDATE_COMPLETE);
        }
        return isEmpty(set)
                ? List.of()
                : set.changes().stream()
                        .map(each -> change(each.resourceChange()))
                        .toList();
    }

    private static PartChange change(ResourceChange part) {
        PartChange.Kind kind = switch (part.action()) {
            case ADD, IMPORT -> PartChange.Kind.CREATED;
            case REMOVE -> PartChange.Kind.REMOVED;
            default -> PartChange.Kind.UPDATED;
        };
        return new PartChange(kind, part.resourceType(), part.logicalResourceId());
    }

    private static List<Parameter> parameters(StackChoice choice, Template template) {
        List<Parameter> parameters = new ArrayList<>();
        template.parameters(choice.parameters())
                .forEach((key, value) -> parameters.add(Parameter.builder()
                        .parameterKey(key)
                        .parameterValue(value)
                        .build()));
        return parameters;
    }

    private static List<Tag> tags(StackChoice choice) {
        List<Tag> tags = new ArrayList<>();
        choice.allTags()
                .forEach((key, value) ->
                        tags.add(Tag.builder().key(key).value(value).build()));
        return tags;
    }

    private DescribeChangeSetResponse changeSet(StackChoice choice, Template template) {
        String id = cloud.createChangeSet(asked -> asked.stackName(choice.name())
                        .changeSetName("lambdafs-" + Long.toHexString(System.currentTimeMillis()))
                        .changeSetType(ChangeSetType.UPDATE)
                        .templateBody(template.text())
                        .parameters(parameters(choice, template))
                        .tags(tags(choice))
                        .capabilities(Capability.CAPABILITY_IAM))
                .id();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            DescribeChangeSetResponse set =
                    cloud.describeChangeSet(asked -> asked.changeSetName(id).stackName(choice.name()));
            if (set.status() == ChangeSetStatus.CREATE_COMPLETE || isEmpty(set)) {
                return set;
            }
            if (set.status() == ChangeSetStatus.FAILED) {
                cloud.deleteChangeSet(asked -> asked.changeSetName(id).stackName(choice.name()));
                throw new FsException(
                        ErrorCode.INTERNAL,
                        "CloudFormation cannot make this of " + choice.name() + ": " + set.statusReason());
            }
            pause(deadline, choice.name());
        }
    }

    private static boolean isEmpty(DescribeChangeSetResponse set) {
        String reason = set.statusReason() == null ? "" : set.statusReason();
        boolean none = set.status() == ChangeSetStatus.FAILED
                && (reason.contains("didn't contain changes") || reason.contains("No updates are to be performed"));
        return none
                || (set.status() == ChangeSetStatus.CREATE_COMPLETE
                        && set.changes().isEmpty());
    }

    /**
     * Removes a stack, except the parts that its template retains.
     *
     * @param dryRun whether only to look whether it can be removed
     * @return false if there was none
     * @throws FsException {@code INVALID_ARGUMENT}: parts of it are protected
     */
    public boolean destroy(String name, boolean dryRun) {
        return ask("remove the stack " + name, () -> {
            Optional<Stack> found = stack(name);
            if (found.isEmpty()) {
                return false;
            }
            if (!isOurs(found.get())) {
                throw new FsException(
                        ErrorCode.ALREADY_EXISTS,
                        "λFS did not make the stack " + name + ": remove it yourself if it is to go");
            }
            String kept = protectedParts(found.get());
            if (!kept.isEmpty()) {
                throw FsException.invalidArgument(
                        kept + " of the stack " + name + " is protected against deletion, nothing was removed: run"
                                + " \"aws create\" as before with --parameter Protection=false, then \"aws destroy\" again");
            }
            if (!dryRun) {
                cloud.deleteStack(asked -> asked.stackName(name));
                await(found.get().stackId(), StackStatus.DELETE_COMPLETE);
            }
            return true;
        });
    }

    /** @param name or id */
    private void await(String name, StackStatus wanted) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            Optional<Stack> now = wanted == StackStatus.DELETE_COMPLETE
                    ? stack(name)
                    : cloud.describeStacks(asked -> asked.stackName(name)).stacks().stream()
                            .findFirst();
            String status = now.map(Stack::stackStatusAsString).orElse(StackStatus.DELETE_COMPLETE.toString());
            if (status.equals(wanted.toString())) {
                return;
            }
            if (!status.endsWith("IN_PROGRESS") && !status.endsWith("CLEANUP_IN_PROGRESS")) {
                throw new FsException(
                        ErrorCode.INTERNAL,
                        "the stack " + name + " is " + status.toLowerCase(Locale.ROOT) + why(name)
                                + "; CloudFormation has undone the rest: put it right, and run the command again");
            }
            pause(deadline, name);
        }
    }

    private String why(String name) {
        return cloud.describeStackEvents(asked -> asked.stackName(name)).stackEvents().stream()
                .filter(each -> String.valueOf(each.resourceStatusAsString()).endsWith("FAILED"))
                .reduce((later, earlier) -> earlier)
                .map(Stacks::shown)
                .orElse("");
    }

    private static String shown(StackEvent event) {
        return ": " + event.logicalResourceId() + ", " + event.resourceStatusReason();
    }

    private void pause(long deadline, String name) {
        if (System.nanoTime() - deadline > 0) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "the stack " + name + " is still changing after " + LIMIT.toMinutes() + " minutes");
        }
        try {
            TimeUnit.MILLISECONDS.sleep(poll.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERNAL, "interrupted; CloudFormation goes on with " + name, e);
        }
    }

    /** A request to AWS. */
    private interface Question<T> {
        T ask();
    }

    private static <T> T ask(String what, Question<T> question) {
        try {
            return question.ask();
        } catch (SdkException failure) {
            throw AwsFaults.of(failure, what);
        }
    }

    @Override
    public void close() {
        cloud.close();
        http.close();
    }
}
