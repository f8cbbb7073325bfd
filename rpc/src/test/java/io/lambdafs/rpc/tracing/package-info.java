@org.jspecify.annotations.NullMarked
package io.lambdafs.rpc.tracing;
