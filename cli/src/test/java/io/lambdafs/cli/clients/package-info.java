@org.jspecify.annotations.NullMarked
package io.lambdafs.cli.clients;
