/** Tests of the command line: exit codes, messages, output. No test here starts a cluster. */
package io.lambdafs.cli;
